/** The nodes of documents, as far as translations read them. Documents are valid, and an edit validates the result again. */

/** Any node of a document: a block, an inline, a text node, a fragment or a leaf. */
export interface AnyNode {
  readonly object: string
  readonly type?: string
  readonly text?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly meta?: unknown
  readonly marks?: ReadonlyArray<{ readonly type: string }>
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly leaves?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
}

/** The blocks whose nodes are inlines: the strings of a document. */
const textBlocks = new Set(["paragraph", "heading-1", "heading-2", "heading-3"])

/** Whether the nodes of a node are inlines. */
export const isTextBlock = ({ object, type = "" }: AnyNode): boolean =>
  object === "block" && textBlocks.has(type)
