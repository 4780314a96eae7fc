/** Other destinations for the links of a text, all else of which stays to the letter. */
import type { Definition, Image, Link, Nodes } from "mdast"
import { parse } from "./syntax.ts"

/** What has a destination. */
export type Leading = Link | Image | Definition

/** The text of a node up to where its title begins, for that may read like its destination. */
const beforeTitle = (source: string, title: string | null | undefined): string => {
  const at = title == null || title === "" ? -1 : source.lastIndexOf(title)
  return at < 0 ? source : source.slice(0, at)
}

/**
 * The text, which is well-formed, with its links and images leading where they are told to; `undefined` leaves one as
 * it is, and so does a destination that is not written as it reads.
 */
export const rewriteLinks = (markdown: string, to: (node: Leading) => string | undefined): string => {
  const edits: Array<readonly [from: number, to: number, text: string]> = []
  const visit = (node: Nodes): void => {
    if (node.type === "link" || node.type === "image" || node.type === "definition") {
      const start = node.position?.start.offset
      const end = node.position?.end.offset
      const destination = start === undefined || end === undefined ? undefined : to(node)
      if (destination !== undefined) {
        // The destination is the last part of the node that reads like it: its text may read like it too.
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
