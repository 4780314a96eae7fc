/** A tree of places, with drag and drop, a menu for each node, and moves by the keyboard. */
import { ChevronRight, GripVertical } from "lucide-react"
import { type KeyboardEvent, useEffect, useMemo, useState } from "react"
import {
  Button,
  Collection,
  type DragAndDropOptions,
  DropIndicator,
  isTextDropItem,
  type Key,
  Tree,
  TreeItem,
  TreeItemContent,
  useDragAndDrop
} from "react-aria-components"
import { readStored, writeStored } from "../store/store.ts"
import { shellStrings } from "../strings/shell.ts"
import { useStrings } from "../strings/strings.ts"
import { ActionMenu } from "./ActionMenu.tsx"
import {
  ancestorsOf,
  findNode,
  isInside,
  type MoveDirection,
  placeInDirection,
  type TreeNode,
  type TreePlace
} from "./TreeNode.ts"

/** Properties of {@link PlaceTree}. */
export interface PlaceTreeProps {
  /** The name of the tree for screen readers. */
  readonly label: string
  /** The name under which the open nodes are stored on this device. */
  readonly storageKey: string
  readonly nodes: ReadonlyArray<TreeNode>
  /** The id of the node that is displayed in the middle. */
  readonly current?: string | undefined
  /** Whether siblings have an order that a person can change. If not, nodes can only be moved into others. */
  readonly isOrdered?: boolean
  /** Whether nodes are open that the person has neither opened nor closed. */
  readonly isOpenByDefault?: boolean
  /** Moves a node. Without it, nothing can be moved. */
  readonly onMove?: ((id: string, place: TreePlace) => void) | undefined
}

const dragType = "application/x-lectern-node"

const directions: Readonly<Record<string, MoveDirection>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out"
}

const idsOf = (nodes: ReadonlyArray<TreeNode>): ReadonlyArray<string> =>
  nodes.flatMap((node) => [node.id, ...idsOf(node.children ?? [])])

/** The nodes that are open: those that are stored, and those above the current one. */
const useOpenNodes = (
  storageKey: string,
  nodes: ReadonlyArray<TreeNode>,
  current: string | undefined,
  isOpenByDefault: boolean
) => {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(() => {
    const stored = readStored(storageKey)
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [])
  })
  const all = useMemo(() => idsOf(nodes), [nodes])
  const open = useMemo(
    () => new Set(isOpenByDefault ? all.filter((id) => !toggled.has(id)) : toggled),
    [all, toggled, isOpenByDefault]
  )
  const setOpen = (ids: ReadonlySet<Key>) => {
    const changed = isOpenByDefault
      ? all.filter((id) => !ids.has(id))
      : [...ids].map(String).filter((id) => all.includes(id))
    writeStored(storageKey, changed)
    setToggled(new Set(changed))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the tree must not open what was closed.
  useEffect(() => {
    if (current === undefined) return
    const missing = ancestorsOf(nodes, current).filter((id) => !open.has(id))
    if (missing.length > 0) setOpen(new Set([...open, ...missing]))
  }, [current, nodes.length])
  return [open, setOpen] as const
}

const useTreeDragAndDrop = (
  nodes: ReadonlyArray<TreeNode>,
  onMove: PlaceTreeProps["onMove"],
  isOrdered: boolean
) => {
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
        if (findNode(nodes, id)?.node.canMove !== false) onMove?.(id, place)
      }
    },
    onRootDrop: async ({ items }) => {
      for (const item of items) {
        if (!isTextDropItem(item) || !item.types.has(dragType)) continue
        onMove?.(await item.getText(dragType), { parent: undefined, before: undefined })
      }
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className="drop-indicator" />
  }
  const { dragAndDropHooks } = useDragAndDrop(options)
  return onMove === undefined ? undefined : dragAndDropHooks
}

interface NodeProps {
  readonly node: TreeNode
  readonly canDrag: boolean
  readonly current: string | undefined
}

const Node = ({ node, canDrag, current }: NodeProps) => {
  const t = useStrings(shellStrings)
  const children = node.children ?? []
  const actions = node.actions?.() ?? []
  return (
    <TreeItem
      id={node.id}
      textValue={node.title}
      className={`tree-item${node.isFaint === true ? " is-faint" : ""}${node.id === current ? " is-current" : ""}`}
      {...(node.to === undefined ? {} : { href: node.to })}
    >
      <TreeItemContent>
        {({ hasChildItems }) => (
          <div className="tree-row">
            {canDrag && node.canMove !== false ? (
              <Button slot="drag" className="tree-grip">
                <GripVertical size={12} aria-hidden />
              </Button>
            ) : null}
            {hasChildItems ? (
              <Button slot="chevron" className="tree-chevron">
                <ChevronRight size={14} aria-hidden />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            {node.icon === undefined ? null : <span className="tree-icon">{node.icon}</span>}
            <span className="tree-title">{node.title}</span>
            {node.badge}
            <ActionMenu
              label={t("moreActionsFor", { title: node.title })}
              actions={actions}
              className="icon-button tree-menu"
            />
          </div>
        )}
      </TreeItemContent>
      <Collection items={children}>
        {(child) => <Node node={child} canDrag={canDrag} current={current} />}
      </Collection>
    </TreeItem>
  )
}

/** A tree of places. Alt with an arrow moves the focused node. */
export const PlaceTree = ({
  label,
  storageKey,
  nodes,
  current,
  isOrdered = true,
  isOpenByDefault = false,
  onMove
}: PlaceTreeProps) => {
  const [open, setOpen] = useOpenNodes(storageKey, nodes, current, isOpenByDefault)
  const dragAndDropHooks = useTreeDragAndDrop(nodes, onMove, isOrdered)
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directions[event.key]
    if (direction === undefined || !event.altKey || onMove === undefined) return
    const id = (event.target as HTMLElement).closest<HTMLElement>("[role=row]")?.dataset.key
    if (!isOrdered && (direction === "up" || direction === "down")) return
    const place = id === undefined ? undefined : placeInDirection(nodes, id, direction)
    if (id === undefined || place === undefined || findNode(nodes, id)?.node.canMove === false) return
    event.preventDefault()
    event.stopPropagation()
    if (place.parent !== undefined) setOpen(new Set([...open, place.parent]))
    onMove(id, place)
  }
  return (
    <div onKeyDownCapture={onKeyDown}>
      <Tree
        // The component has other hooks if nodes can be dragged.
        key={dragAndDropHooks === undefined ? "fixed" : "movable"}
        aria-label={label}
        className="tree"
        items={nodes}
        selectionMode="none"
        expandedKeys={open}
        onExpandedChange={setOpen}
        onAction={(key) => {
          const node = findNode(nodes, String(key))?.node
          if (node === undefined || node.to !== undefined) return
          const changed = new Set(open)
          if (!changed.delete(node.id)) changed.add(node.id)
          setOpen(changed)
        }}
        {...(dragAndDropHooks === undefined ? {} : { dragAndDropHooks })}
        dependencies={[current]}
      >
        {(node) => <Node node={node} canDrag={onMove !== undefined} current={current} />}
      </Tree>
    </div>
  )
}
