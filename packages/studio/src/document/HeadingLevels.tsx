/** The levels of the headings of a document, by which no level is skipped below the title of a page. */
import { createContext, type ReactNode, useContext, useMemo } from "react"
import type { BlockNode } from "./nodes.ts"

/** Returns the depth of a heading in its source, from 1 to 6. */
export const headingDepthOf = ({ type, data }: BlockNode): number => {
  if (type === "heading-1") return 1
  if (type === "heading-2") return 2
  return typeof data?.depth === "number" ? data.depth : 3
}

const levelsOf = (blocks: ReadonlyArray<BlockNode>): ReadonlyMap<BlockNode, number> => {
  const levels = new Map<BlockNode, number>()
  const above: Array<number> = []
  const visit = (node: BlockNode): void => {
    if (node.type?.startsWith("heading-") === true) {
      const depth = headingDepthOf(node)
      while ((above.at(-1) ?? 0) >= depth) above.pop()
      above.push(depth)
      levels.set(node, Math.min(above.length + 1, 6))
      return
    }
    for (const child of node.nodes ?? []) visit(child)
    for (const { nodes } of node.fragments ?? []) for (const child of nodes) visit(child)
  }
  for (const block of blocks) visit(block)
  return levels
}

const LevelsContext = createContext<ReadonlyMap<BlockNode, number>>(new Map())

/** Determines the levels of the headings of blocks, which are displayed inside of it. */
export const HeadingLevels = ({
  blocks,
  children
}: {
  readonly blocks: ReadonlyArray<BlockNode>
  readonly children: ReactNode
}) => {
  const levels = useMemo(() => levelsOf(blocks), [blocks])
  return <LevelsContext value={levels}>{children}</LevelsContext>
}

/** Returns the level of a heading. */
export const useHeadingLevel = (node: BlockNode): number =>
  useContext(LevelsContext).get(node) ?? Math.min(headingDepthOf(node) + 1, 6)
