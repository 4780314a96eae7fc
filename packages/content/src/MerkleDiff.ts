/** Compares Merkle maps. */

import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { childrenOf, emptyRoot, isEqual, type Json, type Node } from "./MerkleNode.ts"
import type { NodeReader } from "./mapNodes.ts"
import { perTurn } from "./pauses.ts"

/** A key whose value differs between two maps. `undefined` if a map does not have the key. */
export interface Difference {
  readonly key: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** The maximum number of differences between maps that are cached. */
const cachedDifferences = 1_000

/** Creates the function that compares maps. */
export const makeDiff = ({ getMany }: NodeReader) => {
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
    if (old.length + fresh.length > perTurn.nodes) yield* Effect.yieldNow
    const differences = differencesOf(old, fresh)
    if (differences.length > perTurn.entries) yield* Effect.yieldNow
    lastDifferences.set(pair, differences)
    return differences
  })
}

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
