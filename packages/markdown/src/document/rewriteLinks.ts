/** Replaces the destinations of links in Markdown and preserves everything else verbatim. */
import type { Definition, Html, Image, Link, Nodes } from "mdast"
import { parse, wellFormed } from "./syntax.ts"
import { TextEdits } from "./TextEdits.ts"
import { destinationsIn } from "./tagDestinations.ts"

/** A destination in a tag, as in `{% file src="…" %}`, or in an element of HTML. */
interface TagLink {
  readonly type: "tag"
  /** The name of the tag or the element. */
  readonly name: string
  readonly url: string
  /** The destination as it is written, with references to characters. */
  readonly written: string
  readonly title: null
  readonly position: NonNullable<Html["position"]>
}

/** A node with a destination. */
export type LinkNode = Link | Image | Definition | TagLink

const isLinkNode = (node: Nodes): node is Link | Image | Definition =>
  node.type === "link" || node.type === "image" || node.type === "definition"

/** The source of a node up to its title, which may contain the destination too. */
const beforeTitle = (source: string, title: string | null | undefined): string => {
  const at = title == null || title === "" ? -1 : source.lastIndexOf(title)
  return at < 0 ? source : source.slice(0, at)
}

/**
 * Replaces the destinations of links, images, definitions, tags and elements of HTML. `destinationOf` returns the new
 * destination, or `undefined` to leave a node unchanged. Destinations that are written with escapes stay unchanged, too.
 *
 * @example
 * rewriteLinks("[Guide](guide.md)", ({ url }) => (url === "guide.md" ? "/pages/p1" : undefined)) // "[Guide](/pages/p1)"
 */
export const rewriteLinks = (
  markdown: string,
  destinationOf: (node: LinkNode) => string | undefined
): string => {
  const text = wellFormed(markdown)
  const edits = new TextEdits()
  const visitHtml = ({ position }: Html): void => {
    const offset = position?.start.offset
    if (position === undefined || offset === undefined) return
    const source = text.slice(offset, position.end.offset)
    for (const { name, url, start, end, encode } of destinationsIn(source)) {
      const written = source.slice(start, end)
      const destination = destinationOf({ type: "tag", name, url, written, title: null, position })
      if (destination !== undefined && destination !== url)
        edits.replace(offset + start, offset + end, encode(destination))
    }
  }
  const visitLink = (link: Link | Image | Definition): void => {
    const start = link.position?.start.offset
    const end = link.position?.end.offset
    const destination = start === undefined || end === undefined ? undefined : destinationOf(link)
    if (destination === undefined) return
    // The text of a node can contain its destination, so that the last occurrence is the destination.
    const at = beforeTitle(text.slice(start, end), link.title).lastIndexOf(link.url)
    if (at >= 0) edits.replace(start! + at, start! + at + link.url.length, destination)
  }
  const visit = (node: Nodes): void => {
    if (node.type === "html") visitHtml(node)
    else if (isLinkNode(node)) visitLink(node)
    if ("children" in node) node.children.forEach(visit)
  }
  visit(parse(markdown))
  return edits.size === 0 ? markdown : edits.applyTo(markdown)
}
