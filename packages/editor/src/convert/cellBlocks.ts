/** The blocks that cells of tables can contain. Other blocks are replaced by the blocks in them. */
import type { DocumentNode } from "./json.ts"

const allowed = new Set([
  "paragraph",
  "heading-1",
  "heading-2",
  "heading-3",
  "divider",
  "code",
  "images",
  "list-ordered",
  "list-unordered",
  "list-item",
  "blockquote"
])

const containers = new Set(["list-ordered", "list-unordered", "list-item", "blockquote"])

const isAllowed = (node: DocumentNode): boolean =>
  allowed.has(node.type ?? "") &&
  (!containers.has(node.type ?? "") || (node.nodes ?? []).every((child) => isAllowed(child)))

/** Returns blocks as a cell can contain them. Allowed blocks are the same objects. */
export const allowedInCell = (nodes: ReadonlyArray<DocumentNode>): ReadonlyArray<DocumentNode> =>
  nodes.flatMap((node): ReadonlyArray<DocumentNode> => {
    if (isAllowed(node)) return [node]
    if (node.type === "list-tasks") {
      const items = (node.nodes ?? []).map(({ data: _, ...item }) => item)
      return allowedInCell([{ ...node, type: "list-unordered", nodes: items }])
    }
    if (containers.has(node.type ?? "")) return [{ ...node, nodes: allowedInCell(node.nodes ?? []) }]
    const inside = [
      ...(node.nodes ?? []),
      ...(node.fragments ?? []).flatMap(({ nodes: blocks }) => blocks ?? [])
    ]
    return allowedInCell(inside.filter(({ object }) => object === "block"))
  })
