/**
 * Converts the elements of a page to Markdown. Each URL that an import can replace, such as a link to another imported
 * page, becomes a placeholder ("mark").
 */

import { markOf, stringifyMarkdown, type Target, unescaped } from "@lectern/formats/threads"
import type { ElementContent } from "hast"
import { toMdast } from "hast-util-to-mdast"
import type { Nodes, PhrasingContent, Root, RootContent } from "mdast"
import { toString as plainText } from "mdast-util-to-string"
import { expandEnclosure, handlers } from "./handlers.ts"

/** Options of {@link toMarkdown}. */
export interface Conversion {
  /** The URL against which relative URLs are resolved. */
  readonly base: string
  /** The URL of the page itself. Links to it become links to its headings. */
  readonly self: string
  /** The token of the import that its placeholders contain. */
  readonly mark: string
  /** The new anchors of headings, by their ids on the page. */
  readonly anchors: Readonly<Record<string, string>>
}

const urlOf = (href: string, base: string): URL | undefined =>
  URL.canParse(href.trim(), base) ? new URL(href.trim(), base) : undefined

const isWeb = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:"

const isEmpty = (node: Nodes): boolean =>
  plainText(node, { includeImageAlt: false }).trim() === "" && !hasObject(node)

const hasObject = (node: Nodes): boolean =>
  node.type === "image" ||
  node.type === "footnoteReference" ||
  ("children" in node && node.children.some(hasObject))

/** Nodes that are removed if they contain neither text, nor images, nor footnotes, such as the remains of an anchor or a button. */
const removedIfEmpty = new Set(["paragraph", "heading", "emphasis", "strong", "delete"])

/** Returns the Markdown of elements, and the target of each placeholder in it. */
export const toMarkdown = (
  children: ReadonlyArray<ElementContent>,
  { base, self, mark, anchors }: Conversion
): { readonly markdown: string; readonly targets: ReadonlyArray<Target> } => {
  const targets: Array<Target> = []
  const addTarget = (target: Target): string => {
    targets.push(target)
    return markOf(mark, targets.length - 1)
  }

  const linkUrl = (href: string): string | undefined => {
    const url = urlOf(href, base)
    if (url === undefined) return undefined
    if (url.protocol === "mailto:" || url.protocol === "tel:") return url.href
    if (!isWeb(url)) return undefined
    const [page, ...rest] = url.href.split("#")
    if (page === self && rest.length > 0) {
      const name = unescaped(rest.join("#"))
      const anchor = Object.hasOwn(anchors, name) ? anchors[name] : undefined
      return anchor === undefined || anchor === "" ? undefined : `#${anchor}`
    }
    return addTarget({ kind: "link", url: url.href, otherwise: url.href })
  }

  const imageUrl = (source: string): string | undefined => {
    if (/^data:image\//i.test(source)) return addTarget({ kind: "image", url: source, otherwise: "" })
    const url = source === "" ? undefined : urlOf(source, base)
    if (url === undefined || !isWeb(url)) return undefined
    return addTarget({ kind: "image", url: url.href, otherwise: url.href })
  }

  const resolveNode = (node: RootContent): ReadonlyArray<RootContent> => {
    if (node.type === "image") {
      const url = imageUrl(node.url)
      return url === undefined ? [] : [{ ...node, url }]
    }
    if ("children" in node) {
      const inner = (node.children as ReadonlyArray<RootContent>).flatMap(resolveNode)
      if (node.type === "link") {
        if (isEmpty({ ...node, children: inner as Array<PhrasingContent> })) return []
        const url = linkUrl(node.url)
        return url === undefined ? inner : [{ type: "link", url, children: inner as Array<PhrasingContent> }]
      }
      const resolved = { ...node, children: inner } as RootContent
      return removedIfEmpty.has(node.type) && isEmpty(resolved) ? [] : expandEnclosure(resolved)
    }
    return [node]
  }

  const tree = toMdast({ type: "root", children: [...children] }, { document: true, handlers }) as Root
  const resolved = tree.children.flatMap(resolveNode)
  return { markdown: stringifyMarkdown({ type: "root", children: resolved }), targets }
}
