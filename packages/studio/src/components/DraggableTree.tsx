/** A tree whose nodes can be dragged. It is loaded after the tree is displayed. */
import { type DragAndDropOptions, DropIndicator, isTextDropItem, useDragAndDrop } from "react-aria-components"
import { findNode, isInside, type TreeNode, type TreePlace } from "./TreeNode.ts"
import { TreeView, type TreeViewProps } from "./TreeView.tsx"

const dragType = "application/x-lectern-node"

type Move = (id: string, place: TreePlace) => void

const useTreeDragAndDrop = (nodes: ReadonlyArray<TreeNode>, onMove: Move, isOrdered: boolean) => {
  const placeOf = (key: string, dropPosition: "before" | "after" | "on"): TreePlace | undefined => {
    if (dropPosition === "on") return { parent: key, before: undefined }
    const target = findNode(nodes, key)
    if (target === undefined) return undefined
    const { parent, siblings, index } = target
    return { parent: parent?.id, before: siblings[dropPosition === "before" ? index : index + 1]?.id }
  }
  const options: DragAndDropOptions<TreeNode> = {
    getItems: (keys) => [...keys].map((key) => ({ [dragType]: String(key), "text/plain": String(key) })),
    acceptedDragTypes: [dragType],
    getDropOperation: (target) => {
      if (target.type === "root") return "move"
      const node = findNode(nodes, String(target.key))?.node
      if (target.dropPosition !== "on" && !isOrdered) return "cancel"
      return target.dropPosition === "on" && node?.canContain !== true ? "cancel" : "move"
    },
    onMove: ({ keys, target }) => {
      const place = placeOf(String(target.key), target.dropPosition)
      if (place === undefined) return
      for (const key of keys) {
        const id = String(key)
        if (place.before === id || (place.parent !== undefined && isInside(nodes, place.parent, id))) continue
        if (findNode(nodes, id)?.node.canMove !== false) onMove(id, place)
      }
    },
    onRootDrop: async ({ items }) => {
      for (const item of items) {
        if (!isTextDropItem(item) || !item.types.has(dragType)) continue
        onMove(await item.getText(dragType), { parent: undefined, before: undefined })
      }
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className="drop-indicator" />
  }
  const { dragAndDropHooks } = useDragAndDrop(options)
  return dragAndDropHooks
}

/** Properties of {@link DraggableTree}. */
export interface DraggableTreeProps extends TreeViewProps {
  readonly isOrdered: boolean
  readonly onMove: Move
}

/** A tree whose nodes can be dragged. */
const DraggableTree = ({ isOrdered, onMove, ...properties }: DraggableTreeProps) => {
  const dragAndDropHooks = useTreeDragAndDrop(properties.nodes, onMove, isOrdered)
  return <TreeView {...properties} dragAndDropHooks={dragAndDropHooks} />
}

export default DraggableTree
