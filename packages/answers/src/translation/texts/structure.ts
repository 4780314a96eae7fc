/** Compares the structure of blocks: everything except for the strings that a translation replaces. */

import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import type { JsonDocument } from "@lectern/model"
import { type AnyNode, isTextBlock } from "./AnyNode.ts"
import { mapBlocks } from "./documentTexts.ts"

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, field]) => [key, sorted(field)])
  )
}

const signatureOf = (value: unknown): string => JSON.stringify(sorted(value)) ?? ""

/** The parts of inlines that are not plain text. Their order is that of the language, so that it is not compared. */
const partsOf = (nodes: ReadonlyArray<AnyNode>): ReadonlyArray<string> =>
  nodes
    .flatMap(({ key: _, nodes: below, leaves, fragments, ...node }: AnyNode & { readonly key?: string }) => {
      if (node.object === "text") {
        return (leaves ?? []).flatMap(({ text, marks = [], data }) => {
          if (data === undefined && marks.length === 0) return []
          const isCode =
            data !== undefined || marks.some(({ type }) => type === "code" || type === "keyboard")
          return [signatureOf({ marks, data, ...(isCode ? { text } : {}) })]
        })
      }
      return [
        signatureOf({
          ...node,
          nodes: partsOf(below ?? []),
          fragments: (fragments ?? []).map(structureOf)
        })
      ]
    })
    .toSorted()

const structureOf = ({
  key: _,
  meta: __,
  nodes,
  fragments,
  data,
  ...node
}: AnyNode & { readonly key?: string }): unknown => {
  // The id of a heading is derived from its text, and its anchor keeps that of the source.
  const { id: ___, anchor: ____, ...fields } = data ?? {}
  const isHeading = node.type?.startsWith("heading-") === true
  return {
    ...node,
    data: isHeading ? fields : data,
    nodes: nodes === undefined ? undefined : isTextBlock(node) ? partsOf(nodes) : nodes.map(structureOf),
    fragments: fragments?.map(structureOf)
  }
}

/** Removes strings without markup, which differ. */
const withoutPlainTexts = (nodes: ReadonlyArray<AnyNode>): ReadonlyArray<AnyNode> =>
  mapBlocks(nodes, { inlines: (inlines) => inlines, plain: () => "" })

/** Returns the blocks as they are after they have been stored as Markdown. */
const stored = (block: AnyNode, data: JsonDocument["data"]): ReadonlyArray<AnyNode> => {
  const { footnotes: _, ...definitions } = data
  const document = { object: "document", data: definitions, nodes: [block] } as unknown as JsonDocument
  return fromMarkdown(toMarkdown(document)).nodes as ReadonlyArray<AnyNode>
}

/** Whether a translated block is the source block with other strings, also after it has been stored as Markdown. */
export const hasSameStructure = (
  source: AnyNode,
  translated: AnyNode,
  data: JsonDocument["data"]
): boolean => {
  const of = (nodes: ReadonlyArray<AnyNode>): string => signatureOf(withoutPlainTexts(nodes).map(structureOf))
  return of([source]) === of([translated]) && of(stored(source, data)) === of(stored(translated, data))
}
