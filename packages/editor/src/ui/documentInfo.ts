/** The outline and the size of a document. */
import type { Node } from "prosemirror-model"
import { schema } from "../schema/schema.ts"

/** A heading of the outline. */
export interface OutlineEntry {
  /** The text of the heading without marks. */
  readonly text: string
  /** The level of the heading, from 1. */
  readonly level: number
  /** The position of the heading in the editor. */
  readonly position: number
}

/** Returns the headings of a document. */
export const outlineOf = (doc: Node): ReadonlyArray<OutlineEntry> => {
  const entries: Array<OutlineEntry> = []
  doc.descendants((node, position) => {
    if (node.type === schema.nodes.heading) {
      entries.push({ text: node.textContent, level: node.attrs.level as number, position })
    }
    return !node.isTextblock
  })
  return entries
}

/** Returns the number of words of a document, also in languages without spaces between words. */
export const wordCountOf = (doc: Node, language: string): number => {
  const text = doc.textBetween(0, doc.content.size, "\n", " ")
  let count = 0
  for (const { isWordLike } of new Intl.Segmenter(language, { granularity: "word" }).segment(text)) {
    if (isWordLike === true) count++
  }
  return count
}
