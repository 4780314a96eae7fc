/** Joins the tags of a group of figures, between which Markdown has empty lines, to one block of HTML. */
import type { Html } from "mdast"
import { elementsIn, parseHtml } from "./htmlTree.ts"
import type { PairedContent } from "./pairDetails.ts"

const openPattern = /^<div(?: (?:align|data-with-frame|data-full-width)="[^"<>]*")*>$/

/** The maximum number of nodes in a group. */
const maximumLength = 50

const isFigure = (source: string): boolean => {
  const elements = elementsIn(parseHtml(source) ?? [source])
  return elements?.every(({ name }) => name === "figure" || name === "img" || name === "picture") ?? false
}

/** Returns the index of the closing tag of the group that starts at an index; -1 if there is no group. */
const endOfGroup = (nodes: ReadonlyArray<PairedContent>, start: number): number => {
  for (let index = start + 1; index < Math.min(nodes.length, start + maximumLength); index++) {
    const node = nodes[index]!
    if (node.type !== "html") return -1
    if (node.value.trim() === "</div>") return index > start + 1 ? index : -1
    if (!isFigure(node.value)) return -1
  }
  return -1
}

const positionOf = (first: PairedContent, last: PairedContent): Pick<Html, "position"> => {
  const start = first.type === "html" ? first.position?.start : undefined
  const end = last.type === "html" ? last.position?.end : undefined
  return start === undefined || end === undefined ? {} : { position: { start, end } }
}

/** Joins groups of figures among siblings. Other nodes are unchanged. */
export const joinGroups = (nodes: ReadonlyArray<PairedContent>): ReadonlyArray<PairedContent> => {
  const joined: Array<PairedContent> = []
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index]!
    const isOpening = node.type === "html" && openPattern.test(node.value.trim())
    const end = isOpening ? endOfGroup(nodes, index) : -1
    if (end < 0) joined.push(node)
    else {
      const group = nodes.slice(index, end + 1)
      const value = group.map((part) => (part.type === "html" ? part.value : "")).join("\n")
      joined.push({ type: "html", value, ...positionOf(node, nodes[end]!) })
      index = end
    }
  }
  return joined
}
