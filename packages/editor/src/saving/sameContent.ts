/** Whether documents have the same content. */
import type { DocumentNode } from "../convert/json.ts"
import type { Document } from "../model.ts"
import { contentKey } from "./mergeDocuments.ts"

const nodesOf = ({ nodes }: Document): ReadonlyArray<DocumentNode> =>
  nodes as unknown as ReadonlyArray<DocumentNode>

/** Whether a block is a paragraph without content, which Markdown does not have. */
const isEmptyParagraph = ({ type, nodes = [] }: DocumentNode): boolean =>
  type === "paragraph" && !/"(?:text":"[^"]|object":"inline")/.test(contentKey(nodes))

const blocksOf = (document: Document): ReadonlyArray<DocumentNode> =>
  nodesOf(document).filter((node) => !isEmptyParagraph(node))

const isSame = (one: Document, other: Document): boolean => contentKey(one) === contentKey(other)

/** The comparisons of documents for a saver. */
export const sameContent = {
  isSame,
  /**
   * Whether the server has one of the documents that were sent. It stores them as Markdown, which has no empty paragraphs, so that
   * the returned document can differ from the received one.
   */
  isOwn: async (sent: ReadonlyArray<Document>, current: Document): Promise<boolean> => {
    if (sent.length === 0) return false
    const { markdownOfBlocks } = await import("../markdown.ts")
    const markdown = markdownOfBlocks(blocksOf(current))
    return sent.some((document) => markdownOfBlocks(blocksOf(document)) === markdown)
  }
}
