/** Pairs the tags of a line. */
import type { PhrasingContent } from "mdast"
import { type HtmlTag, parseTag } from "./htmlTree.ts"
import { isInlineName } from "./inlineElements.ts"

/** An opening tag with the index of its closing tag. */
export interface TagPair {
  readonly tag: HtmlTag
  readonly end: number
}

const namePattern = /^<\/?([a-z]+)/i

/**
 * Returns the pairs of tags among phrasing content, by the index of the opening tag. Tags that are not closed, or not
 * nested properly, have no pair. It takes linear time.
 */
export const pairTags = (nodes: ReadonlyArray<PhrasingContent>): ReadonlyMap<number, TagPair> | undefined => {
  let pairs: Map<number, TagPair> | undefined
  const open: Array<{ readonly tag: HtmlTag; readonly start: number }> = []
  const openCounts = new Map<string, number>()
  for (const [index, node] of nodes.entries()) {
    if (node.type !== "html") continue
    const name = namePattern.exec(node.value)?.[1]?.toLowerCase()
    if (name === undefined || !(name === "picture" || isInlineName(name))) continue
    const tag = parseTag(node.value)
    if (tag?.kind === "open") {
      open.push({ tag, start: index })
      openCounts.set(name, (openCounts.get(name) ?? 0) + 1)
    } else if (tag?.kind === "close" && (openCounts.get(name) ?? 0) > 0) {
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        openCounts.set(last.tag.name, openCounts.get(last.tag.name)! - 1)
        if (last.tag.name !== name) continue
        pairs ??= new Map()
        pairs.set(last.start, { tag: last.tag, end: index })
        break
      }
    }
  }
  return pairs
}
