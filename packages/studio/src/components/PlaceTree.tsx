/** A tree of places, with drag and drop, a menu for each node, and moves by the keyboard. */
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react"
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

type DraggableTreeComponent = typeof import("./DraggableTree.tsx").default

/** How often a tree that is in use is checked again, in milliseconds. */
const inUseCheckMs = 300

const loadDraggable = () => import("./DraggableTree.tsx")
let loadedDraggable: DraggableTreeComponent | undefined

/** Whether the person uses a tree: its focus is inside, or one of its menus is open. */
const isInUse = (root: HTMLElement | null): boolean =>
  root !== null &&
  (root.contains(document.activeElement) ||
    root.querySelector("[aria-expanded=true][aria-haspopup]") !== null)

/**
 * Loads the tree whose nodes can be dragged. It replaces the first one, so that focus and open menus would be lost: it is
 * returned once the tree is not in use.
 */
const useDraggableTree = (
  root: RefObject<HTMLElement | null>,
  isNeeded: boolean
): DraggableTreeComponent | undefined => {
  const [component, setComponent] = useState(() => loadedDraggable)
  useEffect(() => {
    if (!isNeeded || component !== undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    const replace = (loaded: DraggableTreeComponent) => {
      if (isGone) return
      if (isInUse(root.current)) timer = setTimeout(replace, inUseCheckMs, loaded)
      else setComponent(() => loaded)
    }
    const load = () =>
      // Without the module, such as while offline, nodes are moved by their menus and by the keyboard.
      loadDraggable().then(
        (module) => {
          loadedDraggable = module.default
          replace(module.default)
        },
        () => undefined
      )
    // The first tree is painted before the code of dragging is requested.
    timer = setTimeout(load)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [root, isNeeded, component])
  return isNeeded ? component : undefined
}

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
  const root = useRef<HTMLDivElement>(null)
  const Draggable = useDraggableTree(root, onMove !== undefined)
  const view = { label, nodes, current, open, setOpen }
  return (
    <div ref={root} onKeyDownCapture={onKeyDown}>
      {Draggable === undefined || onMove === undefined ? (
        <TreeView {...view} />
      ) : (
        <Draggable {...view} isOrdered={isOrdered} onMove={onMove} />
      )}
    </div>
  )
}
