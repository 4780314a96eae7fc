/** Trees of places: collections with spaces, and pages. Pure functions; the component is `PlaceTree`. */
import type { ReactNode } from "react"
import type { Action } from "../actions/actions.ts"

/** A node of a tree. */
export interface TreeNode {
  readonly id: string
  readonly title: string
  readonly icon?: ReactNode
  /** The path that the node opens. Without it, the node only opens and closes. */
  readonly to?: string
  readonly children?: ReadonlyArray<TreeNode>
  /** Whether other nodes can be moved into it. */
  readonly canContain?: boolean
  readonly canMove?: boolean
  /** Whether the node is displayed less prominently, such as a hidden page. */
  readonly isFaint?: boolean
  readonly badge?: ReactNode
  /** Returns the actions of the menu of the node. */
  readonly actions?: () => ReadonlyArray<Action>
}

/** The place to move nodes to: among the children of `parent` (the root is `undefined`), before `before` or at the end. */
export interface TreePlace {
  readonly parent: string | undefined
  /** The node that follows, or `undefined` for the end. */
  readonly before: string | undefined
}

/** The place of a node in a tree. */
export interface TreePosition {
  readonly node: TreeNode
  readonly parent: TreeNode | undefined
  readonly siblings: ReadonlyArray<TreeNode>
  readonly index: number
}

/** Returns the position of a node, or `undefined` if it is not in the tree. */
export const findNode = (
  nodes: ReadonlyArray<TreeNode>,
  id: string,
  parent?: TreeNode
): TreePosition | undefined => {
  for (const [index, node] of nodes.entries()) {
    if (node.id === id) return { node, parent, siblings: nodes, index }
    const found = findNode(node.children ?? [], id, node)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a node is another one or inside of it. */
export const isInside = (nodes: ReadonlyArray<TreeNode>, id: string, ancestor: string): boolean => {
  const root = findNode(nodes, ancestor)
  return root !== undefined && findNode([root.node], id) !== undefined
}

/** Returns the ids of the nodes above a node. */
export const ancestorsOf = (nodes: ReadonlyArray<TreeNode>, id: string): ReadonlyArray<string> => {
  for (const node of nodes) {
    if (node.id === id) return []
    const children = node.children ?? []
    const below = ancestorsOf(children, id)
    if (below.length > 0 || children.some((child) => child.id === id)) return [node.id, ...below]
  }
  return []
}

/** The direction of a move by the keyboard. */
export type MoveDirection = "up" | "down" | "in" | "out"

/** Returns the place next to a node in a direction, or `undefined` at the end. */
export const placeInDirection = (
  nodes: ReadonlyArray<TreeNode>,
  id: string,
  direction: MoveDirection
): TreePlace | undefined => {
  const position = findNode(nodes, id)
  if (position === undefined) return undefined
  const { parent, siblings, index } = position
  switch (direction) {
    case "up":
      return index === 0 ? undefined : { parent: parent?.id, before: siblings[index - 1]!.id }
    case "down":
      return index === siblings.length - 1
        ? undefined
        : { parent: parent?.id, before: siblings[index + 2]?.id }
    case "in": {
      const previous = siblings[index - 1]
      return previous?.canContain === true ? { parent: previous.id, before: undefined } : undefined
    }
    case "out": {
      const above = parent === undefined ? undefined : findNode(nodes, parent.id)
      return above === undefined
        ? undefined
        : { parent: above.parent?.id, before: above.siblings[above.index + 1]?.id }
    }
  }
}

/** Returns a tree in which a node was moved to a place. */
export const moveNode = <Node extends TreeNode>(
  nodes: ReadonlyArray<Node>,
  id: string,
  { parent, before }: TreePlace
): ReadonlyArray<Node> => {
  const position = findNode(nodes, id)
  if (position === undefined || before === id) return nodes
  const withoutNode = (list: ReadonlyArray<TreeNode>): ReadonlyArray<TreeNode> =>
    list
      .filter((node) => node.id !== id)
      .map((node) => (node.children === undefined ? node : { ...node, children: withoutNode(node.children) }))
  const insertInto = (list: ReadonlyArray<TreeNode>): ReadonlyArray<TreeNode> => {
    const index = before === undefined ? -1 : list.findIndex((node) => node.id === before)
    return index < 0 ? [...list, position.node] : list.toSpliced(index, 0, position.node)
  }
  const insert = (list: ReadonlyArray<TreeNode>): ReadonlyArray<TreeNode> =>
    list.map((node) => {
      const children = node.children ?? []
      if (node.id === parent) return { ...node, children: insertInto(children) }
      return node.children === undefined ? node : { ...node, children: insert(children) }
    })
  const remaining = withoutNode(nodes)
  return (parent === undefined ? insertInto(remaining) : insert(remaining)) as ReadonlyArray<Node>
}
