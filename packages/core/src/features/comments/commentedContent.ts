/** Finds what a comment is to be on: a page, and a node of its document. */
import { Effect } from "effect"
import { InvalidInput } from "../../kernel/errors.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import type { CommentTarget, PostComment } from "../../model/comments/Comment.ts"
import { stateOf } from "../../model/comments/CommentRules.ts"
import type { ContentStore } from "../content/ContentStore.ts"
import { fromMarkdown } from "../content/document/fromMarkdown.ts"
import type { Tree } from "../content/Tree.ts"

/** How much of a node is shown with a comment on it, in characters. */
const previewLength = 200

/** A node of a document, as far as it has to be looked into. */
interface AnyNode {
  readonly key?: string
  readonly text?: string
  readonly leaves?: ReadonlyArray<AnyNode>
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
}

const below = ({ leaves = [], nodes = [], fragments = [] }: AnyNode): ReadonlyArray<AnyNode> => [
  ...leaves,
  ...nodes,
  ...fragments
]

const findNode = (node: AnyNode, key: string): AnyNode | undefined => {
  if (node.key === key) return node
  for (const inner of below(node)) {
    const found = findNode(inner, key)
    if (found !== undefined) return found
  }
  return undefined
}

const textOf = (node: AnyNode): string => (node.text ?? "") + below(node).map(textOf).join("")

/** The target of a comment in the content as it is now; null for the content as a whole. */
export const findTarget = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  tree: Tree,
  { page: id, node }: Pick<PostComment, "page" | "node">
): Effect.fn.Return<CommentTarget | null, InvalidInput | StorageUnavailable> {
  if (id === undefined) {
    return node === undefined ? null : yield* InvalidInput.at("page", "is required beside node")
  }
  const page = yield* tree.page(id)
  if (page === undefined) return yield* InvalidInput.at("page", "names no page of this content")
  const above = yield* tree.above(page)
  const target: CommentTarget = {
    page: id,
    title: page.title,
    path: [...above.map(({ page }) => page.slug).reverse(), page.slug].join("/"),
    state: stateOf(page)
  }
  if (node === undefined) return target
  const document = fromMarkdown(page.body === undefined ? "" : yield* content.texts.get(page.body))
  const found = findNode(document as AnyNode, node)
  if (found === undefined) return yield* InvalidInput.at("node", "names no node of the page's document")
  const preview = Array.from(textOf(found).replaceAll(/\s+/g, " ").trim()).slice(0, previewLength).join("")
  return { ...target, node, ...(preview === "" ? {} : { preview }) }
})
