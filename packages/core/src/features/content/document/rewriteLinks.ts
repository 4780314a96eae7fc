/** Replaces the destinations of links in Markdown and preserves everything else verbatim. */
import type { Definition, Html, Image, Link, Nodes } from "mdast"
import { parse } from "./syntax.ts"
import { attributesIn, tagIn } from "./tags.ts"

/** A tag that refers to a page or a file. */
interface TagLink {
  readonly type: "tag"
  readonly url: string
  readonly title: null
  readonly position: NonNullable<Html["position"]>
}

/** A node with a destination. */
export type LinkNode = Link | Image | Definition | TagLink

/** The attributes of tags with the destination of a page or a file. */
const destinationAttributes: Readonly<Record<string, string>> = {
  "content-ref": "url",
  "page-ref": "page",
  file: "src"
}

const tagLinkOf = (node: Html): TagLink | undefined => {
  const tag = tagIn(node.value)
  if (tag === undefined || tag.closes || node.position === undefined) return undefined
  const name = Object.hasOwn(destinationAttributes, tag.name) ? destinationAttributes[tag.name] : undefined
  const url = name === undefined ? undefined : attributesIn(tag.rest)?.get(name)
  return typeof url === "string" ? { type: "tag", url, title: null, position: node.position } : undefined
}

const linkNodeOf = (node: Nodes): LinkNode | undefined => {
  if (node.type === "html") return tagLinkOf(node)
  return node.type === "link" || node.type === "image" || node.type === "definition" ? node : undefined
}

/** The source of a node up to its title, which may contain the destination too. */
const beforeTitle = (source: string, title: string | null | undefined): string => {
  const at = title == null || title === "" ? -1 : source.lastIndexOf(title)
  return at < 0 ? source : source.slice(0, at)
}

/**
 * Replaces the destinations of links, images, definitions and tags. `markdown` must be `wellFormed`. `destinationOf` returns
 * the new destination, or `undefined` to leave a node unchanged. Destinations that are written with escapes stay
 * unchanged, too.
 *
 * @example
 * rewriteLinks("[Guide](guide.md)", ({ url }) => (url === "guide.md" ? "/pages/p1" : undefined)) // "[Guide](/pages/p1)"
 */
export const rewriteLinks = (
  markdown: string,
  destinationOf: (node: LinkNode) => string | undefined
): string => {
  const edits: Array<readonly [from: number, to: number, text: string]> = []
  const visit = (node: Nodes): void => {
    const link = linkNodeOf(node)
    if (link !== undefined) {
      const start = link.position?.start.offset
      const end = link.position?.end.offset
      const destination = start === undefined || end === undefined ? undefined : destinationOf(link)
      if (destination !== undefined) {
        // The text of a node can contain its destination, so that the last occurrence is the destination.
        const at = beforeTitle(markdown.slice(start, end), link.title).lastIndexOf(link.url)
        if (at >= 0) edits.push([start! + at, start! + at + link.url.length, destination])
      }
    }
    if ("children" in node) node.children.forEach(visit)
  }
  visit(parse(markdown))
  let [text, from] = ["", 0]
  for (const [start, end, replacement] of edits.sort(([a], [b]) => a - b)) {
    if (start < from) continue
    text += markdown.slice(from, start) + replacement
    from = end
  }
  return text + markdown.slice(from)
}
