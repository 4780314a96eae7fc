/** The places of comments: a page as a whole, a block of it, or words of a block, which the comment quotes. */
import type { Comment } from "@lectern/client/fetch"
import { type BlockNode, textOf } from "../../document/nodes.ts"

/** The place of a new comment. Without a page, it is on the content as a whole. */
export interface Anchor {
  readonly page?: string
  /** The key of the block. */
  readonly block?: string
  /** The words, which the comment begins with as a quote. */
  readonly quote?: string
}

const maximumQuote = 500

/** Returns the Markdown of a comment that quotes the words of its place, as the editor writes them. */
export const withQuote = (markdown: string, quote: string | undefined): string => {
  const text = quote?.trim().slice(0, maximumQuote)
  if (text === undefined || text === "") return markdown
  return `${text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")}\n\n${markdown}`
}

/** Returns the quoted words of a comment, if it begins with a quote. */
export const quoteOf = ({ body }: Pick<Comment, "body">): string | undefined => {
  const first = (body.document?.nodes as unknown as ReadonlyArray<BlockNode> | undefined)?.[0]
  return first?.type === "blockquote" ? textOf(first).trim() : undefined
}

/** Returns the keys of the blocks of a document, each with the key of the block at the top that contains it. */
export const topBlocks = (nodes: ReadonlyArray<BlockNode>): ReadonlyMap<string, string> => {
  const tops = new Map<string, string>()
  const visit = (node: BlockNode, top: string) => {
    if (node.key !== undefined) tops.set(node.key, top)
    for (const child of node.nodes ?? []) visit(child, top)
    for (const fragment of node.fragments ?? []) for (const child of fragment.nodes) visit(child, top)
  }
  for (const node of nodes) if (node.key !== undefined) visit(node, node.key)
  return tops
}

/** Groups comments by the block at the top of the document that they are on. */
export const commentsByBlock = (
  comments: ReadonlyArray<Comment>,
  nodes: ReadonlyArray<BlockNode>
): ReadonlyMap<string, ReadonlyArray<Comment>> => {
  const tops = topBlocks(nodes)
  return Map.groupBy(
    comments.filter(({ target }) => target.node !== undefined && tops.has(target.node.id)),
    ({ target }) => tops.get(target.node!.id)!
  )
}
