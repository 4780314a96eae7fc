/** Finds entries in many maps concurrently, with one query per level of the deepest map, and none for cached nodes. */

import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { childIndexOf, childrenOf, type Json, lowerBound } from "../MerkleNode.ts"
import type { NodeReader } from "./NodeReader.ts"

/** A key in the map with a root hash. */
export interface EntryKey {
  readonly root: BlobHash
  readonly key: string
}

/** The first key that is greater than or equal to the requested key, and its value if the keys are equal. */
export interface FoundEntry {
  readonly key: string | undefined
  readonly value: Json | undefined
}

/**
 * Finds the entry of each key, or the next search. The function that it returns has the result for each requested key;
 * undefined if a node on the path to it cannot be read.
 */
export const findEntries = Effect.fnUntraced(function* (
  nodes: NodeReader,
  requested: Iterable<EntryKey>
): Effect.fn.Return<(root: BlobHash, key: string) => FoundEntry | undefined, StorageUnavailable> {
  const found = new Map<string, FoundEntry>()
  let open = Array.from(requested, ({ root, key }) => ({
    root,
    key,
    at: root,
    nextKey: undefined as string | undefined
  }))
  while (open.length > 0) {
    const read = yield* nodes.readMany(new Set(open.map(({ at }) => at)))
    const below: typeof open = []
    for (const search of open) {
      const result = read(search.at)
      if (result._tag !== "Node") continue
      const { node } = result
      if (node.level === 0) {
        const index = lowerBound(node.keys, search.key)
        // After the last key of a node comes the first key of the next node, which the parent has.
        const key = node.keys[index] ?? search.nextKey
        found.set(`${search.root} ${search.key}`, {
          key,
          value: key === search.key ? node.values[index] : undefined
        })
        continue
      }
      const index = Math.max(0, childIndexOf(node, search.key))
      const child = childrenOf(node)[index]
      if (child !== undefined)
        below.push({ ...search, at: child, nextKey: node.keys[index + 1] ?? search.nextKey })
    }
    open = below
  }
  return (root, key) => found.get(`${root} ${key}`)
})
