/** Examines whether a document has only the blocks and the links that an answer may have. */
import type { ContentRef, JsonDocument } from "@lectern/model/document"

const permittedTypes: ReadonlySet<string> = new Set([
  "paragraph",
  "heading-1",
  "heading-2",
  "heading-3",
  "blockquote",
  "list-unordered",
  "list-ordered",
  "list-tasks",
  "list-item",
  "code",
  "code-line",
  "table",
  "divider",
  "emoji",
  "link"
])

/** The fields of a node that are examined. */
interface AnyNode {
  readonly object: string
  readonly type?: string
  readonly data?: { readonly ref?: ContentRef; readonly markdown?: unknown }
  readonly nodes?: ReadonlyArray<AnyNode>
  readonly fragments?: ReadonlyArray<AnyNode>
  readonly leaves?: ReadonlyArray<{ readonly data?: { readonly markdown?: string } }>
}

/** The URL of a page, as Markdown refers to it. */
export const pageUrlOf = (space: string, page: string, anchor = ""): string =>
  `/spaces/${space}/pages/${page}${anchor === "" ? "" : `#${anchor}`}`

const isPermittedLink = (ref: ContentRef | undefined, urls: ReadonlySet<string>): boolean =>
  ref?.kind === "page" && ref.space !== undefined && urls.has(pageUrlOf(ref.space, ref.page))

const isPermitted = (node: AnyNode, urls: ReadonlySet<string>): boolean => {
  // Other text with a form of its own is HTML or a footnote.
  if (node.object === "text") {
    return (node.leaves ?? []).every(({ data }) => [undefined, "break"].includes(data?.markdown))
  }
  if (node.object === "fragment") return (node.nodes ?? []).every((child) => isPermitted(child, urls))
  if (node.type === undefined || !permittedTypes.has(node.type)) return false
  if (node.type === "link" && !isPermittedLink(node.data?.ref, urls)) return false
  // HTML and tags that are displayed as code are HTML and tags in Markdown.
  if (node.type === "code" && node.data?.markdown !== undefined) return false
  return [...(node.nodes ?? []), ...(node.fragments ?? [])].every((child) => isPermitted(child, urls))
}

/** Whether a document has only permitted blocks, and links only to the pages with these URLs. */
export const isClosedDocument = ({ data, nodes }: JsonDocument, urls: ReadonlySet<string>): boolean =>
  (data.definitions ?? []).length === 0 &&
  (data.footnotes ?? []).length === 0 &&
  nodes.every((node) => isPermitted(node as AnyNode, urls))
