/** A tree of places, with drag and drop, a menu for each node, and moves by the keyboard. */
import { type KeyboardEvent, lazy, Suspense, useEffect, useMemo, useState } from "react"
import type { Key } from "react-aria-components"
import { readStored, writeStored } from "../store/store.ts"
import {
  ancestorsOf,
  findNode,
  type MoveDirection,
  placeInDirection,
  type TreeNode,
  type TreePlace
} from "./TreeNode.ts"
import { TreeView } from "./TreeView.tsx"

const DraggableTree = lazy(() => import("./DraggableTree.tsx"))

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

const directions: Readonly<Record<string, MoveDirection>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out"
}

const idsOf = (nodes: ReadonlyArray<TreeNode>): ReadonlyArray<string> =>
  nodes.flatMap((node) => [node.id, ...idsOf(node.children ?? [])])

/** The open nodes: the stored ones, and the ancestors of the current one. */
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
  const view = { label, nodes, current, open, setOpen }
  return (
    <div onKeyDownCapture={onKeyDown}>
      {onMove === undefined ? (
        <TreeView {...view} />
      ) : (
        <Suspense fallback={<TreeView {...view} />}>
          <DraggableTree {...view} isOrdered={isOrdered} onMove={onMove} />
        </Suspense>
      )}
    </div>
  )
}
