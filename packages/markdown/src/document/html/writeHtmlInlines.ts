/** Converts the inlines of a document to inline HTML, in the form that GitBook writes in blocks of HTML. */
import type { Inline, Mark } from "@lectern/model/document"
import { markKey } from "../InlineBuilder.ts"
import { urlOf } from "../linkReferences.ts"
import { escapeBlockText, escapeText } from "./htmlText.ts"
import { writeTag } from "./htmlTree.ts"
import { mentionText } from "./inlineElements.ts"
import {
  expressionTags,
  type Tags,
  tagsOfButton,
  tagsOfMark,
  writeEmoji,
  writeIcon,
  writeImage
} from "./writeInlineElements.ts"

type Marks = ReadonlyArray<Mark>

/** Adds an annotation with its paragraphs, and returns the label of its footnote. */
export type AddAnnotation = (node: Extract<Inline, { readonly type: "annotation" }>) => string

/** HTML without marks within, and the marks around it. */
interface Piece {
  readonly marks: Marks
  readonly html: string
}

const between = ({ open, close }: Tags, text: string): string => `${open}${escapeText(text)}${close}`

/** Converts the inlines of a block to HTML in one line. */
export const writeHtmlInlines = (nodes: ReadonlyArray<Inline>, addAnnotation: AddAnnotation): string =>
  escapeBlockText(write(nodes, addAnnotation, []))

const write = (nodes: ReadonlyArray<Inline>, addAnnotation: AddAnnotation, outer: Marks): string => {
  const pieces: Array<Piece> = []
  for (const node of nodes) {
    if (node.object === "text") {
      for (const leaf of node.leaves) {
        const isRepeated = outer.every(
          (mark, index) => leaf.marks[index] !== undefined && markKey(leaf.marks[index]) === markKey(mark)
        )
        const marks = isRepeated ? leaf.marks.slice(outer.length) : leaf.marks
        const isBreak = leaf.data?.markdown === "break"
        const isHtml = leaf.data?.markdown === "html"
        // An editor can add text to the leaf of a break.
        const lines = isBreak ? leaf.text.split("\n") : [leaf.text]
        pieces.push({ marks, html: isHtml ? leaf.text : lines.map(escapeText).join("<br>") })
      }
    } else if (node.type === "annotation") {
      const url = `#user-content-fn-${addAnnotation(node)}`
      const open = writeTag("a", { "data-footnote-ref": true, href: url })
      pieces.push({ marks: [], html: `${open}${write(node.nodes, addAnnotation, outer)}</a>` })
    } else {
      const marks = (node.data.marks ?? []).filter(({ type }) => type !== "code")
      pieces.push({ marks, html: writeNode(node, addAnnotation, [...outer, ...marks]) })
    }
  }
  return nest(pieces, 0, pieces.length, 0)
}

const writeNode = (
  node: Exclude<Inline, { readonly object: "text" } | { readonly type: "annotation" }>,
  addAnnotation: AddAnnotation,
  marks: Marks
): string => {
  switch (node.type) {
    case "link": {
      const { ref, title } = node.data
      return `${writeTag("a", { href: urlOf(ref), title })}${write(node.nodes, addAnnotation, marks)}</a>`
    }
    case "inline-image":
      return writeImage(node.data, node.data.caption)
    case "inline-math":
      return between({ open: '<span class="math">', close: "</span>" }, node.data.formula)
    case "emoji":
      return writeEmoji(node.data.code)
    case "icon":
      return writeIcon(node.data.icon)
    case "expression":
      return between(expressionTags, node.data.expression)
    case "mention": {
      const open = writeTag("a", { "data-mention": true, href: urlOf(node.data.ref) })
      return between({ open, close: "</a>" }, mentionText(node.data))
    }
    case "button":
      return between(tagsOfButton(node.data), node.data.label)
  }
}

/** Nests the pieces from `start` to `end` by their marks. Their first `depth` marks are already around all of them. */
const nest = (pieces: ReadonlyArray<Piece>, start: number, end: number, depth: number): string => {
  let html = ""
  for (let from = start; from < end; ) {
    const piece = pieces[from]!
    const mark = piece.marks[depth]
    let to = from + 1
    if (mark === undefined) html += piece.html
    else {
      const key = markKey(mark)
      while (to < end && pieces[to]!.marks[depth] !== undefined && markKey(pieces[to]!.marks[depth]!) === key)
        to++
      const { open, close } = tagsOfMark(mark)
      html += `${open}${nest(pieces, from, to, depth + 1)}${close}`
    }
    from = to
  }
  return html
}
