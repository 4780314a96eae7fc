/**
 * A persistent ordered map with content-addressed nodes. A map is immutable and identified by the hash of its root, and
 * maps share the nodes that they have in common.
 *
 * It is a search tree (a "prolly tree") whose shape depends only on its keys and its fan-out. The rank of a key is derived
 * from its hash: with a fan-out of 32, one key in 32 has a rank of at least 1, one in 1024 of at least 2, and so on. At level
 * `n`, a key whose rank is above `n` starts a new node, and the first keys of the nodes of a level are the entries of the
 * level above. Equal maps of one fan-out therefore have equal roots, regardless of the order of writes. A write retains the
 * fan-out of the map, and replaces only the nodes on the paths to the changed entries. A comparison skips equal nodes by
 * their hashes.
 *
 * Reading a key, reading a bounded range and writing an entry are O(log n) in the number of entries. A comparison is
 * O(d log n) in the number of differences `d`.
 */

import { type BlobHash, type BlobReader, type Blobs, hashOf, type StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { makeDiff } from "./MerkleDiff.ts"
import {
  childIndexOf,
  childrenOf,
  emptyRoot,
  encodeNode,
  type FanOut,
  isEqual,
  type Json,
  lowerBound,
  type Node,
  newFanOut,
  rankOf,
  sortKeys
} from "./MerkleNode.ts"
import { type NodeReader, nodeReader } from "./mapNodes.ts"
import { pauseAt, perTurn } from "./pauses.ts"

/** A write of an entry: `undefined` deletes it. */
type Edit = readonly [key: string, value: Json | undefined]

/** A range of entries: keys from `from` (inclusive) to `to` (exclusive), in either direction, at most `limit`. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly direction?: "asc" | "desc"
  readonly limit?: number
}

/** Whether an edit changes nothing. */
const isUnchanged = ({ keys, values }: Node, [key, value]: Edit): boolean => {
  const at = lowerBound(keys, key)
  return isEqual(keys[at] === key ? values[at] : undefined, value)
}

/** A node that a write replaces, with the edits to its entries. `hash` is undefined for a new level. */
interface Touched {
  readonly hash: BlobHash | undefined
  readonly first: string
  readonly node: Node
  readonly edits: ReadonlyArray<Edit>
}

/** Consecutive entries that form a node. `first` is its key in the level above, `previous` a node that it replaces. */
interface Run {
  readonly previous: BlobHash | undefined
  readonly first: string
  readonly keys: Array<string>
  readonly values: Array<Json>
}

const makeReads = ({ load, cached, getMany }: NodeReader) => {
  /** Returns the value at a key, or `undefined`. */
  const get = Effect.fnUntraced(function* (
    root: BlobHash,
    key: string
  ): Effect.fn.Return<Json | undefined, StorageUnavailable> {
    let node = cached(root) ?? (yield* load(root))
    while (node.level > 0) {
      const hash = childrenOf(node)[childIndexOf(node, key)]!
      node = cached(hash) ?? (yield* load(hash))
    }
    const at = lowerBound(node.keys, key)
    return node.keys[at] === key ? node.values[at] : undefined
  })

  /**
   * Returns the entries of a range in order. Without a limit, it reads uncached nodes level by level, one query each.
   */
  const range = Effect.fnUntraced(function* (
    root: BlobHash,
    { from, to, direction = "asc", limit = Number.POSITIVE_INFINITY }: Range
  ): Effect.fn.Return<ReadonlyArray<readonly [key: string, value: Json]>, StorageUnavailable> {
    const entries: Array<readonly [string, Json]> = []
    const isUnlimited = limit === Number.POSITIVE_INFINITY
    const walk = Effect.fnUntraced(function* (hash: BlobHash): Effect.fn.Return<void, StorageUnavailable> {
      const node = cached(hash) ?? (yield* load(hash))
      const start = node.level === 0 ? lowerBound(node.keys, from) : Math.max(0, childIndexOf(node, from))
      const end = lowerBound(node.keys, to)
      if (node.level > 0 && isUnlimited) {
        const children = childrenOf(node).slice(start, end)
        if (children.some((child) => cached(child) === undefined)) yield* getMany(children)
      }
      for (let i = 0; i < end - start && entries.length < limit; i++) {
        const at = direction === "asc" ? start + i : end - 1 - i
        if (node.level === 0) entries.push([node.keys[at]!, node.values[at]!])
        else yield* walk(childrenOf(node)[at]!)
      }
    })
    yield* walk(root)
    return entries
  })

  return { get, range }
}

/** Finds the nodes that edits change. */
const makeChangedNodes = ({ load, cached }: NodeReader) => {
  /** Finds the node of a level that contains a key, or with `isBefore` the node before it. */
  const locate = Effect.fnUntraced(function* (
    root: BlobHash,
    level: number,
    key: string,
    isBefore: boolean
  ): Effect.fn.Return<Touched, StorageUnavailable> {
    let first = ""
    let hash = root
    let node = cached(root) ?? (yield* load(root))
    while (node.level > level) {
      const at = isBefore ? lowerBound(node.keys, key) - 1 : childIndexOf(node, key)
      hash = childrenOf(node)[at]!
      first = node.keys[at]!
      node = cached(hash) ?? (yield* load(hash))
    }
    return { hash, first, node, edits: [] }
  })

  /**
   * Returns the nodes of a level that edits change, in order. If a node loses its first key, the node before it is
   * included.
   */
  return Effect.fnUntraced(function* (
    root: BlobHash,
    level: number,
    edits: ReadonlyArray<Edit>
  ): Effect.fn.Return<ReadonlyArray<Touched>, StorageUnavailable> {
    const touched = new Map<string, Touched & { readonly edits: Array<Edit> }>()
    for (const edit of edits) {
      const place = yield* locate(root, level, edit[0], false)
      if (isUnchanged(place.node, edit)) continue
      const existing = touched.get(place.first)
      if (existing === undefined) touched.set(place.first, { ...place, edits: [edit] })
      else existing.edits.push(edit)
    }
    for (const { first, edits } of [...touched.values()]) {
      if (first === "" || !edits.some(([key, value]) => key === first && value === undefined)) continue
      const before = yield* locate(root, level, first, true)
      if (!touched.has(before.first)) touched.set(before.first, { ...before, edits: [] })
    }
    return [...touched.values()].sort((a, b) => (a.first < b.first ? -1 : 1))
  })
}

/** A node that a write creates. */
interface CreatedNode {
  readonly bytes: Uint8Array
  readonly node: Node
  /** The node that it replaces. */
  readonly previous: BlobHash | undefined
}

const makeWrite = (blobs: Blobs["Service"], nodes: BlobReader<Node>, reader: NodeReader) => {
  const { load } = reader
  const changedNodes = makeChangedNodes(reader)

  /** Stores created nodes, with pauses. */
  const store = Effect.fnUntraced(function* (
    created: ReadonlyArray<readonly [BlobHash, CreatedNode]>
  ): Effect.fn.Return<void, StorageUnavailable> {
    for (let start = 0; start < created.length; start += perTurn.stored) {
      if (start > 0) yield* Effect.yieldNow
      const some = created.slice(start, start + perTurn.stored)
      yield* blobs.put(
        some.map(([, { bytes }]) => bytes),
        some.map(([, { previous }]) => (previous === emptyRoot ? undefined : previous))
      )
      for (const [hash, { node, bytes }] of some) nodes.put(hash, node, bytes)
    }
  })

  /**
   * Applies changes and returns the root of the new map; `undefined` deletes an entry. It stores the new nodes: call it
   * in the transaction that stores the root.
   */
  return Effect.fnUntraced(function* (
    root: BlobHash,
    changes: Iterable<Edit>
  ): Effect.fn.Return<BlobHash, StorageUnavailable> {
    const created = new Map<BlobHash, CreatedNode>()
    const top = yield* load(root)
    const { fanOut } = top
    const save = (level: number, { previous, keys, values }: Run): BlobHash => {
      const node: Node = { fanOut, level, keys, values }
      const bytes = encodeNode(node)
      const hash = hashOf(bytes)
      created.set(hash, { bytes, node, previous })
      return hash
    }

    const saveRuns = Effect.fnUntraced(function* (level: number, runs: Iterable<Run>) {
      const saved: Array<Edit> = []
      for (const run of runs) {
        yield* pauseAt(saved.length, perTurn.nodes)
        saved.push([run.first, save(level, run)])
      }
      return saved
    })

    const sorted: Array<Edit> = []
    for (const [key, value] of changes) {
      yield* pauseAt(sorted.length, perTurn.entries)
      sorted.push([key, value === undefined ? undefined : sortKeys(value)])
    }
    let edits: ReadonlyArray<Edit> = sorted.sort(([a], [b]) => (a < b ? -1 : 1))
    if (edits.length === 0) return root
    for (let level = 0; level < top.level; level++) {
      const touched = yield* changedNodes(root, level, edits)
      if (touched.length === 0) return root
      const above = new Map<string, Json | undefined>(touched.map(({ first }) => [first, undefined]))
      for (const [first, hash] of yield* saveRuns(level, runsOf(fanOut, level, touched)))
        above.set(first, hash)
      edits = [...above].sort(([a], [b]) => (a < b ? -1 : 1))
    }

    // The root takes the remaining edits. If it splits, levels are added above it until one node remains.
    let { level } = top
    let runs = runsOf(fanOut, level, [{ hash: root, first: "", node: top, edits }])
    while (runs.length > 1) {
      const entries = yield* saveRuns(level, runs)
      level++
      runs = runsOf(fanOut, level, [
        { hash: undefined, first: "", node: { fanOut, level, keys: [], values: [] }, edits: entries }
      ])
    }
    const [last] = runs
    let result = last!.keys.length === 0 && level === 0 ? emptyRoot : save(level, last!)
    // A root with a single child is replaced by that child.
    for (;;) {
      const node = created.get(result)?.node ?? (yield* load(result))
      if (node.level === 0 || node.keys.length > 1) break
      created.delete(result)
      result = childrenOf(node)[0]!
    }
    yield* store([...created])
    return result
  })
}

/**
 * Creates the operations on maps whose nodes are blobs. `nodes` reads and caches nodes. Maps that are written from the empty
 * root have the given fan-out.
 */
export const makeMerkleMap = (
  blobs: Blobs["Service"],
  nodes: BlobReader<Node>,
  fanOut: FanOut = newFanOut
) => {
  const reader = nodeReader(nodes, fanOut)
  return { ...makeReads(reader), write: makeWrite(blobs, nodes, reader), diff: makeDiff(reader) }
}

/** The operations on maps whose nodes are blobs. */
export interface MerkleMaps extends ReturnType<typeof makeMerkleMap> {}

/**
 * Applies the edits of nodes and splits the entries into nodes again. A node that lost its first key is merged into the
 * one before.
 */
const runsOf = (fanOut: FanOut, level: number, touched: ReadonlyArray<Touched>): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  const startRun = (first: string, previous: BlobHash | undefined): Run => {
    const run: Run = { previous, first, keys: [], values: [] }
    runs.push(run)
    return run
  }
  for (const { hash, first, node, edits } of touched) {
    let run = first === "" ? startRun("", hash) : runs[runs.length - 1]
    for (const [key, value] of applyEdits(node, edits)) {
      if (run === undefined || (rankOf(key, fanOut) > level && key !== "")) run = startRun(key, hash)
      run.keys.push(key)
      run.values.push(value)
    }
  }
  return runs
}

/** Iterates over the entries of a node with edits applied, in order. */
function* applyEdits(node: Node, edits: ReadonlyArray<Edit>): Generator<readonly [string, Json]> {
  let at = 0
  for (const [key, value] of edits) {
    while (at < node.keys.length && node.keys[at]! < key) {
      yield [node.keys[at]!, node.values[at]!]
      at++
    }
    if (node.keys[at] === key) at++
    if (value !== undefined) yield [key, value]
  }
  for (; at < node.keys.length; at++) yield [node.keys[at]!, node.values[at]!]
}
