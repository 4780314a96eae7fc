/** The places of comments: a page as a whole, a block of it, or words of a block. */
import type { Comment } from "@lectern/client/fetch"
import { similarityOf } from "../../diff/compareBlocks.ts"
import type { BlockNode } from "../../document/nodes.ts"

/** Words of a block, with the text around them. */
export type Quote = NonNullable<Comment["target"]["quote"]>

/** The place of a new comment. Without a page, it is on the content as a whole. */
export interface Anchor {
  readonly page?: string
  /** The key of the block. */
  readonly block?: string
  /** The start of the text of the block, by which it is found without the key. */
  readonly preview?: string
  readonly quote?: Quote
}

/** The maximum length of a quote, which is that of the API. */
const maximumQuote = 1_000

/** The number of characters around a quote by which it is found among equal ones. */
const contextLength = 32

/** The length of the preview of a block, which is that of the API. */
const previewLength = 200

const childrenOf = ({ nodes = [], fragments = [] }: BlockNode): ReadonlyArray<BlockNode> => [
  ...nodes,
  ...fragments.flatMap((fragment) => fragment.nodes)
]

/** Returns the text of a block as the server reads it: without anything between its parts. */
const plainText = (node: BlockNode): string =>
  (node.leaves ?? []).map(({ text }) => text).join("") + childrenOf(node).map(plainText).join("")

const previewOf = (node: BlockNode): string =>
  Array.from(plainText(node).replaceAll(/\s+/g, " ").trim()).slice(0, previewLength).join("")

/** Returns the place of a block, with the start of its text. */
export const anchorOfBlock = (page: string, block: BlockNode): Anchor => {
  const preview = previewOf(block)
  return {
    page,
    ...(block.key === undefined ? {} : { block: block.key }),
    ...(preview === "" ? {} : { preview })
  }
}

/** A block, and the block at the top of the document that contains it. */
interface Placed {
  readonly node: BlockNode
  readonly top: string
}

const placedBlocks = (nodes: ReadonlyArray<BlockNode>): ReadonlyArray<Placed> => {
  const placed: Array<Placed> = []
  const visit = (node: BlockNode, top: string) => {
    if (node.key !== undefined && node.object === "block") placed.push({ node, top })
    for (const child of childrenOf(node)) visit(child, top)
  }
  for (const node of nodes) if (node.key !== undefined) visit(node, node.key)
  return placed
}

const asParagraph = (text: string): BlockNode => ({
  object: "block",
  type: "paragraph",
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

/** The part of the words that a block must share with the preview of a comment, to be the block after an edit. */
const minimumSimilarity = 0.5

/**
 * Returns the key of the block at the top of the document that a comment is on; `undefined` if its text was removed or rewritten. Keys are
 * positions, so the block of a key is only the one of the comment if it has its text, or most of the words of it.
 */
export const findTop = (
  { target: { node, quote } }: Pick<Comment, "target">,
  nodes: ReadonlyArray<BlockNode>
): string | undefined => {
  if (node === undefined && quote === undefined) return undefined
  const placed = placedBlocks(nodes)
  const byKey = placed.find((candidate) => candidate.node.key === node?.id)
  const preview = node?.preview
  if (byKey !== undefined && (preview === undefined || previewOf(byKey.node) === preview)) return byKey.top
  const byText = placed.find((candidate) => preview !== undefined && previewOf(candidate.node) === preview)
  if (byText !== undefined) return byText.top
  if (quote !== undefined) {
    return placed.find((candidate) => plainText(candidate.node).includes(quote.text))?.top
  }
  if (byKey === undefined || preview === undefined) return undefined
  const isEdit = similarityOf(asParagraph(preview), asParagraph(previewOf(byKey.node))) >= minimumSimilarity
  return isEdit ? byKey.top : undefined
}

/** Groups comments by the block at the top of the document that they are on. */
export const commentsByBlock = (
  comments: ReadonlyArray<Comment>,
  nodes: ReadonlyArray<BlockNode>
): ReadonlyMap<string, ReadonlyArray<Comment>> => {
  const found = new Map<string, ReadonlyArray<Comment>>()
  for (const comment of comments) {
    const top = findTop(comment, nodes)
    if (top !== undefined) found.set(top, [...(found.get(top) ?? []), comment])
  }
  return found
}

/** Returns the place of words of a block: the innermost block with them, and the text around them. */
export const anchorOfWords = (
  page: string,
  top: string,
  words: string,
  nodes: ReadonlyArray<BlockNode>
): Anchor => {
  const text = words.slice(0, maximumQuote)
  const candidates = placedBlocks(nodes).filter(
    (placed) => placed.top === top && plainText(placed.node).includes(text)
  )
  const block = candidates.at(-1)?.node
  // Words of several blocks are a comment on the block that contains them.
  if (block === undefined) return { page, block: top }
  const content = plainText(block)
  const start = content.indexOf(text)
  const [before, after] = [
    content.slice(Math.max(0, start - contextLength), start),
    content.slice(start + text.length, start + text.length + contextLength)
  ]
  return {
    page,
    block: block.key!,
    quote: { text, ...(before === "" ? {} : { before }), ...(after === "" ? {} : { after }) }
  }
}
