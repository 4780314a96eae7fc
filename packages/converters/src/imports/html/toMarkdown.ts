/** From the elements of a page to markdown, with a mark in the place of each destination that may become another. */

import { markOf, stringifyMarkdown, type Target, unescaped } from "@lectern/core/conversion"
import type { ElementContent } from "hast"
import { toMdast } from "hast-util-to-mdast"
import type { Nodes, PhrasingContent, Root, RootContent } from "mdast"
import { toString as plainText } from "mdast-util-to-string"

/** What a page is turned into markdown with. */
export interface Conversion {
  /** The address that relative ones are against. */
  readonly base: string
  /** The page itself: links to it are links into it. */
  readonly self: string
  readonly mark: string
  readonly anchors: Readonly<Record<string, string>>
}

const urlOf = (href: string, base: string): URL | undefined =>
  URL.canParse(href.trim(), base) ? new URL(href.trim(), base) : undefined

const isWeb = ({ protocol }: URL): boolean => protocol === "http:" || protocol === "https:"

const isEmpty = (node: Nodes): boolean =>
  plainText(node, { includeImageAlt: false }).trim() === "" && !hasImage(node)

const hasImage = (node: Nodes): boolean =>
  node.type === "image" || ("children" in node && node.children.some(hasImage))

/** What there is no reason for without words or images in it: what was a place to lead to, or a button. */
const holdsWords = new Set(["paragraph", "heading", "emphasis", "strong", "delete"])

/** The markdown of elements, and where its marks lead. */
export const toMarkdown = (
  children: ReadonlyArray<ElementContent>,
  { base, self, mark, anchors }: Conversion
): { readonly markdown: string; readonly targets: ReadonlyArray<Target> } => {
  const targets: Array<Target> = []
  const marked = (target: Target): string => {
    targets.push(target)
    return markOf(mark, targets.length - 1)
  }

  const link = (href: string): string | undefined => {
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
    return marked({ kind: "link", url: url.href, otherwise: url.href })
  }

  const image = (source: string): string | undefined => {
    if (/^data:image\//i.test(source)) return marked({ kind: "image", url: source, otherwise: "" })
    const url = source === "" ? undefined : urlOf(source, base)
    if (url === undefined || !isWeb(url)) return undefined
    return marked({ kind: "image", url: url.href, otherwise: url.href })
  }

  const resolve = (node: RootContent): ReadonlyArray<RootContent> => {
    if (node.type === "html") return []
    if (node.type === "image") {
      const url = image(node.url)
      return url === undefined ? [] : [{ ...node, url }]
    }
    if ("children" in node) {
      const inner = (node.children as ReadonlyArray<RootContent>).flatMap(resolve)
      if (node.type === "link") {
        if (isEmpty({ ...node, children: inner as Array<PhrasingContent> })) return []
        const url = link(node.url)
        return url === undefined ? inner : [{ ...node, url, children: inner as Array<PhrasingContent> }]
      }
      const resolved = { ...node, children: inner } as RootContent
      return holdsWords.has(node.type) && isEmpty(resolved) ? [] : [resolved]
    }
    return [node]
  }

  const tree = toMdast({ type: "root", children: [...children] }, { document: true }) as Root
  const resolved = tree.children.flatMap(resolve)
  return { markdown: stringifyMarkdown({ type: "root", children: resolved }), targets }
}
