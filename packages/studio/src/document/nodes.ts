/** The nodes of documents, as far as the application displays them. */
import type { Text } from "@lectern/client/fetch"

/** An inline node, as far as it is displayed. Nodes of later versions are displayed by their text. */
export interface InlineNode {
  readonly object: string
  readonly type?: string
  readonly key?: string
  readonly leaves?: Text["leaves"]
  readonly nodes?: ReadonlyArray<InlineNode>
  readonly data?: Readonly<Record<string, unknown>>
}

/** A block, as far as it is displayed. Blocks of later versions are displayed by their content. */
export interface BlockNode extends InlineNode {
  readonly nodes?: ReadonlyArray<BlockNode>
  readonly fragments?: ReadonlyArray<{ readonly fragment?: string; readonly nodes: ReadonlyArray<BlockNode> }>
  readonly open?: boolean
}

/** Returns the text of a node, for anchors and comparisons. */
export const textOf = (node: BlockNode): string =>
  node.leaves === undefined
    ? [...(node.nodes ?? []), ...(node.fragments ?? []).flatMap(({ nodes }) => nodes)].map(textOf).join(" ")
    : node.leaves.map(({ text }) => text).join("")

/** Returns the id of the anchor of a heading. */
export const anchorOf = (node: BlockNode): string => {
  const id = node.data?.id ?? node.data?.anchor
  return typeof id === "string"
    ? id
    : textOf(node)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, "")
}

/** Returns the blocks of a fragment of a node, such as the title of an expandable block. */
export const fragmentOf = (node: BlockNode, name: string): ReadonlyArray<BlockNode> =>
  node.fragments?.find(({ fragment }) => fragment === name)?.nodes ?? []

/** Returns a field of a node that is text; the empty text otherwise. */
export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")
