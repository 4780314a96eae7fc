/** The Markdown engine, which is loaded when Markdown is pasted, copied or displayed. Every import of it is here. */
import { fromMarkdown, mergeTexts, toMarkdown } from "@lectern/markdown"
import type { Block, Document } from "./model.ts"
import type { Json } from "./schema/attributes.ts"

export { fromMarkdown, mergeTexts, toMarkdown }

/** A merged text, or the lines that both versions changed. */
export type MergedText = ReturnType<typeof mergeTexts>

const documentOf = (nodes: ReadonlyArray<unknown>): Document =>
  ({ object: "document", data: {}, nodes }) as unknown as Document

const removeKeys = (_: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  const { key: _key, ...others } = value as Readonly<Record<string, unknown>>
  return others
}

/** Returns the blocks of Markdown without keys, which would be the keys of another document. */
export const blocksFromMarkdown = (markdown: string): Document =>
  JSON.parse(JSON.stringify(fromMarkdown(markdown), removeKeys)) as Document

/** Returns the paragraphs of Markdown, for notes. Other blocks become text. */
export const paragraphsFromMarkdown = (markdown: string): ReadonlyArray<Json> =>
  markdown
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const [first, ...others] = blocksFromMarkdown(part.trim().replace(/\n/g, " "))
        .nodes as ReadonlyArray<Block>
      const isParagraph = first?.type === "paragraph" && others.length === 0
      const nodes = isParagraph
        ? first.nodes
        : [{ object: "text", leaves: [{ object: "leaf", text: part.trim(), marks: [] }] }]
      return { object: "block", type: "paragraph", nodes } as unknown as Json
    })

/** Returns the Markdown of the paragraphs of a note. */
export const markdownOfParagraphs = (nodes: Json | undefined): string =>
  toMarkdown(documentOf(Array.isArray(nodes) ? nodes : [])).trim()

/** Returns the Markdown of blocks. */
export const markdownOfBlocks = (nodes: ReadonlyArray<unknown>): string => toMarkdown(documentOf(nodes))
