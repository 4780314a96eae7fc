/** Corrects which lists of a syntax tree are loose. */
import type { Nodes } from "mdast"

/**
 * Marks lists as tight whose items no empty line separates. The parser counts the empty lines of a quote that follow a list as
 * lines of the list, so that such a list would be loose, and only if it is written that way.
 */
export const markTightLists = (root: Nodes): void => {
  markIn(root)
}

/** Marks the lists in a node. Returns the line on which its text ends: lists do not contain the empty lines after them. */
const markIn = (node: Nodes): number => {
  const ends = "children" in node ? node.children.map((child) => markIn(child)) : []
  if (node.type === "list" && node.spread === true) {
    node.spread = node.children.some(
      (item, index) => index > 0 && (item.position?.start.line ?? 0) > ends[index - 1]! + 1
    )
  }
  if (node.type === "list" || node.type === "listItem") return ends.at(-1) ?? node.position?.start.line ?? 0
  return node.position?.end.line ?? 0
}
