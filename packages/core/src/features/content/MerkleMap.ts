/**
 * An ordered map from keys to values that is one value itself: named by the hash of its root, never changed, sharing
 * with every other map what is the same in both.
 *
 * It is a search tree (a "prolly tree") whose shape follows from its keys alone. Each key has a rank: by a hash of
 * it, one key in four has a rank of 1 or more, one in sixteen of 2 or more, and so on. In a list of entries at
 * level `n`, a key of a rank above `n` begins a new node; the nodes of a level, by the first keys of each, are the
 * entries of the level above. So equal maps have equal roots whatever the order of the writes that made them; a write
 * makes new only the nodes on the ways to what it changes; and a comparison passes over equal nodes by their hashes.
 *
 * Reading a key, a range and a write are O(log n) in the number of entries, a comparison in what differs.
 */
import { Effect } from "effect"
import { type BlobHash, type BlobReader, type Blobs, hashOf } from "../../kernel/storage/Blobs.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import {
  childOf,
  childrenOf,
  emptyNode,
  encode,
  type Json,
  lowerBound,
  type Node,
  ordered,
  rankOf
} from "./MerkleNode.ts"

/** An entry, or a change of one: `undefined` takes it away. */
type Edit = readonly [key: string, value: Json | undefined]

/** Where a key differs between two maps; `undefined` where a map has not got it. */
export interface Difference {
  readonly key: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Which entries to read: keys from `from` on, before `to`, in either direction, at most `limit`. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly direction?: "asc" | "desc"
  readonly limit?: number
}

/** The root of the map without entries: the hash of `[0,""]`, of which no blob need be stored. */
export const emptyRoot = "bbY4_k0vkc5t9dxbSO7_wUKvk7yEflL_b3EUA7dTL3A" as BlobHash

/** Whether an entry is already what an edit makes of it. */
const isAsBefore = ({ keys, values }: Node, [key, value]: Edit): boolean => {
  const at = lowerBound(keys, key)
  const old = keys[at] === key ? values[at] : undefined
  return old === value || (value !== undefined && JSON.stringify(old) === JSON.stringify(value))
}

/** A node that a write has to make anew, with the edits in it. */
interface Touched {
  readonly first: string
  readonly node: Node
  readonly edits: ReadonlyArray<Edit>
}

/** A stretch of entries that become a node; `first` is the key that it is found by. */
interface Run {
  readonly first: string
  readonly keys: Array<string>
  readonly values: Array<Json>
}

/** Maps in a store of blobs. `nodes` reads the nodes: it is what keeps them in memory. */
export const makeMerkleMap = (blobs: Blobs["Service"], nodes: BlobReader<Node>) => {
  const load = (hash: BlobHash): Effect.Effect<Node, StorageUnavailable> =>
    hash === emptyRoot ? Effect.succeed(emptyNode) : nodes.get(hash)

  /** The node as far as it is in memory already: most are, and need no effect then. */
  const known = (hash: BlobHash): Node | undefined => (hash === emptyRoot ? emptyNode : nodes.known(hash))

  /** The value at a key, or `undefined`. */
  const get = Effect.fnUntraced(function* (
    root: BlobHash,
    key: string
  ): Effect.fn.Return<Json | undefined, StorageUnavailable> {
    let node = known(root) ?? (yield* load(root))
    while (node.level > 0) {
      const hash = childrenOf(node)[childOf(node, key)]!
      node = known(hash) ?? (yield* load(hash))
    }
    const at = lowerBound(node.keys, key)
    return node.keys[at] === key ? node.values[at] : undefined
  })

  /** The entries of a range, in order. A long one without a limit is read level by level: one look-up for each. */
  const range = Effect.fnUntraced(function* (
    root: BlobHash,
    { from, to, direction = "asc", limit = Number.POSITIVE_INFINITY }: Range
  ): Effect.fn.Return<ReadonlyArray<readonly [key: string, value: Json]>, StorageUnavailable> {
    const entries: Array<readonly [string, Json]> = []
    const isUnlimited = limit === Number.POSITIVE_INFINITY
    const walk = Effect.fnUntraced(function* (hash: BlobHash): Effect.fn.Return<void, StorageUnavailable> {
      const node = known(hash) ?? (yield* load(hash))
      const start = node.level === 0 ? lowerBound(node.keys, from) : Math.max(0, childOf(node, from))
      const end = lowerBound(node.keys, to)
      if (node.level > 0 && isUnlimited) {
        const children = childrenOf(node).slice(start, end)
        if (children.some((child) => known(child) === undefined)) yield* nodes.getMany(children)
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

  /** The node at a level that has to do with a key: that holds it, or with `isBefore` the one that ends before it. */
  const locate = Effect.fnUntraced(function* (
    root: BlobHash,
    level: number,
    key: string,
    isBefore: boolean
  ): Effect.fn.Return<Touched, StorageUnavailable> {
    let first = ""
    let node = known(root) ?? (yield* load(root))
    while (node.level > level) {
      const at = isBefore ? lowerBound(node.keys, key) - 1 : childOf(node, key)
      const hash = childrenOf(node)[at]!
      first = node.keys[at]!
      node = known(hash) ?? (yield* load(hash))
    }
    return { first, node, edits: [] }
  })

  /** The nodes of a level that edits are in, in order; with those before them that take in what lost its first key. */
  const touchedBy = Effect.fnUntraced(function* (
    root: BlobHash,
    level: number,
    edits: ReadonlyArray<Edit>
  ): Effect.fn.Return<ReadonlyArray<Touched>, StorageUnavailable> {
    const touched = new Map<string, { first: string; node: Node; edits: Array<Edit> }>()
    for (const edit of edits) {
      const place = yield* locate(root, level, edit[0], false)
      if (isAsBefore(place.node, edit)) continue
      const known = touched.get(place.first)
      if (known === undefined) touched.set(place.first, { ...place, edits: [edit] })
      else known.edits.push(edit)
    }
    for (const { first, edits } of [...touched.values()]) {
      if (first === "" || !edits.some(([key, value]) => key === first && value === undefined)) continue
      const before = yield* locate(root, level, first, true)
      if (!touched.has(before.first)) touched.set(before.first, { ...before, edits: [] })
    }
    return [...touched.values()].sort((a, b) => (a.first < b.first ? -1 : 1))
  })

  /**
   * The map with entries changed: `undefined` takes one away. What it makes is stored, so a write belongs into the
   * transaction of what names its root.
   */
  const write = Effect.fnUntraced(function* (
    root: BlobHash,
    changes: Iterable<Edit>
  ): Effect.fn.Return<BlobHash, StorageUnavailable> {
    const made = new Map<BlobHash, { readonly bytes: Uint8Array; readonly node: Node }>()
    const save = (level: number, { keys, values }: Run): BlobHash => {
      const node: Node = { level, keys, values }
      const bytes = encode(node)
      const hash = hashOf(bytes)
      made.set(hash, { bytes, node })
      return hash
    }

    const top = yield* load(root)
    let edits: ReadonlyArray<Edit> = [...changes]
      .map(([key, value]): Edit => [key, value === undefined ? undefined : ordered(value)])
      .sort(([a], [b]) => (a < b ? -1 : 1))
    if (edits.length === 0) return root
    for (let level = 0; level < top.level; level++) {
      const touched = yield* touchedBy(root, level, edits)
      if (touched.length === 0) return root
      const above = new Map<string, Json | undefined>(touched.map(({ first }) => [first, undefined]))
      for (const run of runsOf(level, touched)) above.set(run.first, save(level, run))
      edits = [...above].sort(([a], [b]) => (a < b ? -1 : 1))
    }

    // The root takes the rest; where it becomes several nodes, others are put above them until there is one.
    let { level } = top
    let runs = runsOf(level, [{ first: "", node: top, edits }])
    while (runs.length > 1) {
      const entries = runs.map((run): Edit => [run.first, save(level, run)])
      level++
      runs = runsOf(level, [{ first: "", node: { level, keys: [], values: [] }, edits: entries }])
    }
    const [last] = runs
    let result = last!.keys.length === 0 && level === 0 ? emptyRoot : save(level, last!)
    // A root over a single node is that node.
    for (;;) {
      const node = made.get(result)?.node ?? (yield* load(result))
      if (node.level === 0 || node.keys.length > 1) break
      made.delete(result)
      result = childrenOf(node)[0]!
    }
    yield* blobs.put(Array.from(made.values(), ({ bytes }) => bytes))
    for (const [hash, { node, bytes }] of made) nodes.keep(hash, node, bytes)
    return result
  })

  /** The nodes that are in one list or the other, and not in both, as the lists of their entries. */
  const apart = Effect.fnUntraced(function* (
    before: ReadonlyArray<BlobHash>,
    after: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<readonly [ReadonlyArray<Node>, ReadonlyArray<Node>], StorageUnavailable> {
    const [there, here] = [new Set(before), new Set(after)]
    const old = before.filter((hash) => !here.has(hash) && hash !== emptyRoot)
    const fresh = after.filter((hash) => !there.has(hash) && hash !== emptyRoot)
    const all = yield* nodes.getMany([...old, ...fresh])
    return [all.slice(0, old.length), all.slice(old.length)]
  })

  const expand = (list: ReadonlyArray<Node>, level: number): ReadonlyArray<BlobHash> =>
    list.flatMap((node) => (node.level === level ? childrenOf(node) : []))

  /** What differs between two maps, in the order of keys. Its cost is that of what differs. */
  const diff = Effect.fnUntraced(function* (
    before: BlobHash,
    after: BlobHash
  ): Effect.fn.Return<ReadonlyArray<Difference>, StorageUnavailable> {
    let [old, fresh] = yield* apart([before], [after])
    let level = Math.max(old[0]?.level ?? 0, fresh[0]?.level ?? 0)
    for (; level > 0; level--) {
      // Nodes of a lower tree wait until their level is reached.
      const waiting = [old, fresh].map((list) => list.filter((node) => node.level < level))
      const [olds, freshs] = yield* apart(expand(old, level), expand(fresh, level))
      old = [...waiting[0]!, ...olds]
      fresh = [...waiting[1]!, ...freshs]
    }
    const entriesOf = (list: ReadonlyArray<Node>) =>
      new Map(list.flatMap((node) => node.keys.map((key, i) => [key, node.values[i]!] as const)))
    const [was, is] = [entriesOf(old), entriesOf(fresh)]
    const keys = [...new Set([...was.keys(), ...is.keys()])].sort()
    return keys.flatMap((key): ReadonlyArray<Difference> => {
      const [before, after] = [was.get(key), is.get(key)]
      return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ key, before, after }]
    })
  })

  return { get, range, write, diff }
}

/** Maps in a store of blobs. */
export interface MerkleMaps extends ReturnType<typeof makeMerkleMap> {}

/** The entries of nodes with their edits, divided anew: a node that lost its first key goes on in the one before. */
const runsOf = (level: number, touched: ReadonlyArray<Touched>): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  const begin = (first: string): Run => {
    const run: Run = { first, keys: [], values: [] }
    runs.push(run)
    return run
  }
  for (const { first, node, edits } of touched) {
    let run = first === "" ? begin("") : runs[runs.length - 1]
    for (const [key, value] of merged(node, edits)) {
      if (run === undefined || (rankOf(key) > level && key !== "")) run = begin(key)
      run.keys.push(key)
      run.values.push(value)
    }
  }
  return runs
}

/** The entries of a node in their order, with edits applied; those that are taken away are left out. */
function* merged(node: Node, edits: ReadonlyArray<Edit>): Generator<readonly [string, Json]> {
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
