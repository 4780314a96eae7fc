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
import { LRUCache } from "lru-cache"
import {
  childIndexOf,
  childrenOf,
  encodeNode,
  type FanOut,
  type Json,
  lowerBound,
  type Node,
  newFanOut,
  rankOf,
  sortKeys
} from "./MerkleNode.ts"

/** A write of an entry: `undefined` deletes it. */
type Edit = readonly [key: string, value: Json | undefined]

/** A key whose value differs between two maps. `undefined` if a map does not have the key. */
export interface Difference {
  readonly key: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** A range of entries: keys from `from` (inclusive) to `to` (exclusive), in either direction, at most `limit`. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly direction?: "asc" | "desc"
  readonly limit?: number
}

/** The maximum number of differences between maps that are cached. */
const cachedDifferences = 1_000

/** The root of the empty map: the hash of `[0,""]`. Its blob is never stored. */
export const emptyRoot = "bbY4_k0vkc5t9dxbSO7_wUKvk7yEflL_b3EUA7dTL3A" as BlobHash

/** Whether two values are equal. Most nodes have the values of the nodes that they replaced, and not copies. */
const isEqual = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other))

/** The number of entries and of nodes that a write reads and saves between two turns of the event loop. */
const perTurn = { entries: 500, nodes: 50 }

/** Pauses at every `count`th index, so that other requests run during a write of very many entries. */
const pauseAt = (index: number, count: number): Effect.Effect<void> =>
  index % count === count - 1 ? Effect.yieldNow : Effect.void

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

/** Loads nodes. */
const nodeReader = (nodes: BlobReader<Node>, fanOut: FanOut) => {
  const emptyNode: Node = { fanOut, level: 0, keys: [], values: [] }

  const load = (hash: BlobHash): Effect.Effect<Node, StorageUnavailable> =>
    hash === emptyRoot ? Effect.succeed(emptyNode) : nodes.get(hash)

  /** Returns a cached node synchronously. Most nodes are cached, and then need no effect. */
  const cached = (hash: BlobHash): Node | undefined => (hash === emptyRoot ? emptyNode : nodes.peek(hash))

  return { load, cached, getMany: nodes.getMany }
}

type NodeReader = ReturnType<typeof nodeReader>

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

const makeWrite = (blobs: Blobs["Service"], nodes: BlobReader<Node>, reader: NodeReader) => {
  const { load } = reader
  const changedNodes = makeChangedNodes(reader)

  /**
   * Applies changes and returns the root of the new map; `undefined` deletes an entry. It stores the new nodes: call it
   * in the transaction that stores the root.
   */
  return Effect.fnUntraced(function* (
    root: BlobHash,
    changes: Iterable<Edit>
  ): Effect.fn.Return<BlobHash, StorageUnavailable> {
    const created = new Map<
      BlobHash,
      { readonly bytes: Uint8Array; readonly node: Node; readonly previous: BlobHash | undefined }
    >()
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
    yield* blobs.put(
      Array.from(created.values(), ({ bytes }) => bytes),
      Array.from(created.values(), ({ previous }) => (previous === emptyRoot ? undefined : previous))
    )
    for (const [hash, { node, bytes }] of created) nodes.put(hash, node, bytes)
    return result
  })
}

const makeDiff = ({ getMany }: NodeReader) => {
  /** Loads the nodes that are in only one of the two lists. */
  const loadDistinct = Effect.fnUntraced(function* (
    before: ReadonlyArray<BlobHash>,
    after: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<readonly [ReadonlyArray<Node>, ReadonlyArray<Node>], StorageUnavailable> {
    const [there, here] = [new Set(before), new Set(after)]
    const old = before.filter((hash) => !here.has(hash) && hash !== emptyRoot)
    const fresh = after.filter((hash) => !there.has(hash) && hash !== emptyRoot)
    const all = yield* getMany([...old, ...fresh])
    return [all.slice(0, old.length), all.slice(old.length)]
  })

  /** The last differences: several features react to the same edit. */
  const lastDifferences = new LRUCache<string, ReadonlyArray<Difference>>({
    maxSize: cachedDifferences,
    sizeCalculation: (differences) => differences.length + 1
  })

  const expand = (list: ReadonlyArray<Node>, level: number): ReadonlyArray<BlobHash> =>
    list.flatMap((node) => (node.level === level ? childrenOf(node) : []))

  /** Returns the differences between two maps in key order, at a cost proportional to the differences. */
  return Effect.fnUntraced(function* (
    before: BlobHash,
    after: BlobHash
  ): Effect.fn.Return<ReadonlyArray<Difference>, StorageUnavailable> {
    const pair = `${before} ${after}`
    const cachedPair = lastDifferences.get(pair)
    if (cachedPair !== undefined) return cachedPair
    let [old, fresh] = yield* loadDistinct([before], [after])
    let level = Math.max(old[0]?.level ?? 0, fresh[0]?.level ?? 0)
    for (; level > 0; level--) {
      // Nodes of the lower tree wait until their level is reached.
      const waiting = [old, fresh].map((list) => list.filter((node) => node.level < level))
      const [olds, freshs] = yield* loadDistinct(expand(old, level), expand(fresh, level))
      old = [...waiting[0]!, ...olds]
      fresh = [...waiting[1]!, ...freshs]
    }
    const differences = differencesOf(old, fresh)
    lastDifferences.set(pair, differences)
    return differences
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

/** Returns the differences between the entries of two lists of nodes of level 0, both in the order of the keys. */
const differencesOf = (old: ReadonlyArray<Node>, fresh: ReadonlyArray<Node>): ReadonlyArray<Difference> => {
  const [oldKeys, freshKeys] = [old.flatMap(({ keys }) => keys), fresh.flatMap(({ keys }) => keys)]
  const [oldValues, freshValues] = [
    old.flatMap(({ values }) => values),
    fresh.flatMap(({ values }) => values)
  ]
  const differences: Array<Difference> = []
  for (let i = 0, j = 0; i < oldKeys.length || j < freshKeys.length; ) {
    const [oldKey, freshKey] = [oldKeys[i], freshKeys[j]]
    const isOld = freshKey === undefined || (oldKey !== undefined && oldKey <= freshKey)
    const isFresh = oldKey === undefined || (freshKey !== undefined && freshKey <= oldKey)
    const before = isOld ? oldValues[i++] : undefined
    const after = isFresh ? freshValues[j++] : undefined
    if (!isEqual(before, after)) differences.push({ key: isOld ? oldKey! : freshKey!, before, after })
  }
  return differences
}

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
