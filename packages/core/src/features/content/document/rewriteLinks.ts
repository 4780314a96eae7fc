/** Replaces the destinations of links in Markdown and preserves everything else verbatim. */
import type { Definition, Image, Link, Nodes } from "mdast"
import { parse } from "./syntax.ts"

/** A node with a destination. */
export type LinkNode = Link | Image | Definition

/** The source of a node up to its title, which may contain the destination too. */
const beforeTitle = (source: string, title: string | null | undefined): string => {
  const at = title == null || title === "" ? -1 : source.lastIndexOf(title)
  return at < 0 ? source : source.slice(0, at)
}

/**
 * Replaces the destinations of links, images and definitions. `markdown` must be `wellFormed`. `destinationOf` returns
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
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      const start = node.position?.start.offset
      const end = node.position?.end.offset
      const destination = start === undefined || end === undefined ? undefined : destinationOf(node)
      if (destination !== undefined) {
        // The text of a node can contain its destination, so that the last occurrence is the destination.
        const at = beforeTitle(markdown.slice(start, end), node.title).lastIndexOf(node.url)
        if (at >= 0) edits.push([start! + at, start! + at + node.url.length, destination])
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
