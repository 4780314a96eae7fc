/** Reverts single blocks of a document to an earlier version of the document. */
import type { Block, JsonDocument, ListItem } from "@lectern/model/document"
import { alignBlocks, type Pairs } from "./alignBlocks.ts"
import { toMarkdown } from "./toMarkdown.ts"

type Node = Block | ListItem

/** The result of {@link revertBlocks}. */
export interface RevertedBlocks {
  readonly document: JsonDocument
  /** Whether a block was removed, restored or replaced. */
  readonly isChanged: boolean
  /** The requested keys that no block has, in either version. */
  readonly unknownKeys: ReadonlyArray<string>
}

/**
 * Reverts the blocks with these keys in `current` to `base`: a block that was added since is removed, a changed block is
 * replaced, a moved block is moved back. A key that names no changed block of `current` names a block of `base`: if this
 * block was deleted since, it is restored after the block that it followed.
 *
 * Blocks of both versions are aligned by their content, because keys are derived from positions. Blocks in lists, quotes
 * and other containers can be reverted separately.
 */
export const revertBlocks = (
  current: JsonDocument,
  base: JsonDocument,
  keys: ReadonlyArray<string>
): RevertedBlocks => {
  const reverter = new Reverter(new Set(keys))
  const nodes = reverter.revertAll(current.nodes, base.nodes)
  const known = new Set([...keysOf(current.nodes), ...keysOf(base.nodes)])
  return {
    document: reverter.isChanged
      ? { ...current, nodes, data: withDefinitions(current, base, nodes) }
      : current,
    isChanged: reverter.isChanged,
    unknownKeys: keys.filter((key) => !known.has(key))
  }
}

/** Blocks that contain blocks, which can be reverted separately. */
const childrenOf = (node: Node): ReadonlyArray<Node> | undefined => {
  const { nodes } = node as { readonly nodes?: ReadonlyArray<{ readonly object: string }> }
  const isContainer =
    node.type !== "code" && node.type !== "images" && nodes?.every((child) => child.object === "block")
  return isContainer === true ? (nodes as ReadonlyArray<Node>) : undefined
}

const keysOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<string> =>
  nodes.flatMap((node) => [...(node.key === undefined ? [] : [node.key]), ...keysOf(childrenOf(node) ?? [])])

/** The data of a block itself, without its children, by which containers are compared. */
const shapeOf = ({ type, data }: Node): string => JSON.stringify([type, data ?? {}])

class Reverter {
  isChanged = false
  private readonly keys: ReadonlySet<string>
  /** Keys that name a change of the current version. They do not name blocks of the base as well. */
  private readonly used = new Set<string>()

  constructor(keys: ReadonlySet<string>) {
    this.keys = keys
  }

  /** Reverts sibling blocks. */
  revertAll<N extends Node>(
    current: ReadonlyArray<N>,
    base: ReadonlyArray<N>,
    parent?: Node
  ): ReadonlyArray<N> {
    const pairs = alignBlocks(
      current.map((node) => ({ type: node.type, content: contentOf(node, parent) })),
      base.map((node) => ({ type: node.type, content: contentOf(node, parent) }))
    )
    const reverted = current.map((node, index) => this.revertOne(node, index, base, pairs))
    const result: Array<N> = []
    const place = (index: number) => {
      for (const at of restoredAfter.get(index) ?? []) result.push(base[at]!)
    }
    const restoredAfter = this.restoredBlocks(current, base, pairs)
    place(-1)
    reverted.forEach((node, index) => {
      if (node !== undefined) result.push(node)
      place(index)
    })
    return result
  }

  private isRequested({ key }: Node): boolean {
    return key !== undefined && this.keys.has(key)
  }

  /** Returns the reverted form of a block of the current version, or `undefined` if it is removed. */
  private revertOne<N extends Node>(
    node: N,
    index: number,
    base: ReadonlyArray<N>,
    { unchanged, changed, moved }: Pairs
  ): N | undefined {
    if (unchanged.has(index)) return node
    const counterpart = changed.get(index)
    if (this.isRequested(node)) {
      this.used.add(node.key!)
      this.isChanged = true
      // A moved block is restored at its former place.
      return counterpart === undefined ? undefined : base[counterpart]!
    }
    const children = childrenOf(node)
    if (children === undefined || moved.has(index)) return node
    const before = counterpart === undefined ? undefined : base[counterpart]!
    const earlier = before !== undefined && before.type === node.type ? (childrenOf(before) ?? []) : []
    const nodes = this.revertAll(children, earlier, node)
    if (nodes.length === children.length && nodes.every((child, at) => child === children[at])) return node
    if (nodes.length === 0) return undefined
    const isReverted =
      before !== undefined && nodes.length === earlier.length && shapeOf(before) === shapeOf(node)
    return isReverted && nodes.every((child, at) => child === earlier[at]) ? before : { ...node, nodes }
  }

  /** Finds the deleted and moved blocks to restore, by the index of the current block that they follow, or -1. */
  private restoredBlocks<N extends Node>(
    current: ReadonlyArray<N>,
    base: ReadonlyArray<N>,
    { unchanged, changed, moved }: Pairs
  ): ReadonlyMap<number, ReadonlyArray<number>> {
    const counterparts = new Map([...unchanged, ...changed].map(([index, at]) => [at, index]))
    const origins = new Map([...moved].map(([index, at]) => [at, index]))
    const restored = new Map<number, Array<number>>()
    let previous = -1
    base.forEach((node, at) => {
      const counterpart = counterparts.get(at)
      if (counterpart !== undefined) {
        previous = counterpart
        return
      }
      const origin = origins.get(at)
      const isRestored =
        origin === undefined
          ? this.isRequested(node) && !this.used.has(node.key!)
          : this.isRequested(current[origin]!)
      if (!isRestored) return
      this.isChanged = true
      restored.set(previous, [...(restored.get(previous) ?? []), at])
    })
    return restored
  }
}

/** The types of nodes that exist only in a parent of one type. */
const itemTypes: ReadonlySet<string> = new Set(["list-item", "tabs-item", "stepper-step", "column", "update"])

/** The Markdown of a node, which does not depend on its position. An item is written as the only child of its parent. */
const contentOf = (node: Node, parent: Node | undefined): string => {
  const block = itemTypes.has(node.type) ? { ...parent!, nodes: [node] } : node
  return toMarkdown({ object: "document", data: {}, nodes: [block as Block] })
}

/** Adds the definitions and footnotes of the base that restored blocks need. */
const withDefinitions = (
  { data }: JsonDocument,
  base: JsonDocument,
  nodes: ReadonlyArray<Block>
): JsonDocument["data"] => {
  const texts = new Set<string>()
  JSON.stringify(nodes, (_, value: unknown) => {
    if (typeof value === "string") texts.add(value)
    return value
  })
  const missing = <A extends { readonly label: string }>(
    present: ReadonlyArray<A> = [],
    earlier: ReadonlyArray<A> = []
  ): ReadonlyArray<A> => {
    const labels = new Set(present.map(({ label }) => label.toLowerCase()))
    const isNeeded = ({ label }: A) => !labels.has(label.toLowerCase()) && texts.has(label)
    return [...present, ...earlier.filter(isNeeded)]
  }
  const definitions = missing(data.definitions, base.data.definitions)
  const footnotes = missing(data.footnotes, base.data.footnotes)
  return {
    ...data,
    ...(definitions.length === 0 ? {} : { definitions }),
    ...(footnotes.length === 0 ? {} : { footnotes })
  }
}
