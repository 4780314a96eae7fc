/** Finds the page that a comment refers to, and the node of its document. */

import type { Tree } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import { stateOf } from "@lectern/kernel/tables"
import { fromMarkdown } from "@lectern/markdown/document"
import type { CommentedPage, PostComment } from "@lectern/model/comments"
import { InvalidInput } from "@lectern/model/errors"
import { Effect } from "effect"
import type { ContentStore } from "../content/ContentStore.ts"

/** The maximum length of the preview of a node, in characters. */
const previewLength = 200

/** The properties of a document node that the traversal reads. */
interface AnyNode {
  readonly key?: string
  readonly text?: string
  readonly leaves?: ReadonlyArray<AnyNode>
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
}

const childrenOf = ({ leaves = [], nodes = [], fragments = [] }: AnyNode): ReadonlyArray<AnyNode> => [
  ...leaves,
  ...nodes,
  ...fragments
]

const findNode = (node: AnyNode, key: string): AnyNode | undefined => {
  if (node.key === key) return node
  for (const inner of childrenOf(node)) {
    const found = findNode(inner, key)
    if (found !== undefined) return found
  }
  return undefined
}

const textOf = (node: AnyNode): string => (node.text ?? "") + childrenOf(node).map(textOf).join("")

/**
 * Returns the current state of the page of a new comment, and its node; null for a comment on the content as a whole.
 * Fails with `InvalidInput` if the page or the node does not exist, or a node or a quote is given without a page.
 */
export const findCommentedPage = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  tree: Tree,
  { page: id, node, quote }: Pick<PostComment, "page" | "node" | "quote">
): Effect.fn.Return<CommentedPage | null, InvalidInput | StorageUnavailable> {
  if (id === undefined) {
    if (node !== undefined) return yield* InvalidInput.at("page", "is required with `node`")
    return quote === undefined ? null : yield* InvalidInput.at("page", "is required with `quote`")
  }
  const page = yield* tree.page(id)
  if (page === undefined) return yield* InvalidInput.at("page", "must be the id of a page of this content")
  const above = yield* tree.above(page)
  const commented: CommentedPage = {
    page: id,
    title: page.title,
    path: [...above.map(({ page }) => page.slug).reverse(), page.slug].join("/"),
    state: stateOf(page),
    ...(quote === undefined ? {} : { quote })
  }
  if (node === undefined) return commented
  const document = fromMarkdown(page.body === undefined ? "" : yield* content.texts.get(page.body))
  const found = findNode(document as AnyNode, node)
  if (found === undefined)
    return yield* InvalidInput.at("node", "must be the key of a node in the document of the page")
  const preview = Array.from(textOf(found).replaceAll(/\s+/g, " ").trim()).slice(0, previewLength).join("")
  return { ...commented, node, ...(preview === "" ? {} : { preview }) }
})
