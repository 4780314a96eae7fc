/** Finds entries of contents, of many at once: a look-up for each level of the deepest, and none of what is in memory. */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import { childIndexOf, childrenOf, type Json, lowerBound } from "../MerkleNode.ts"
import type { NodeReader } from "./NodeReader.ts"

/** A key in the content of a root. */
export interface Asked {
  readonly root: BlobHash
  readonly key: string
}

/** The first key that is not below the one asked for, if there is any; its value where it is the very one. */
export interface Sought {
  readonly key: string | undefined
  readonly value: Json | undefined
}

/** Seeks each that is asked for; undefined for those on whose way there is something that cannot be read. */
export const seek = Effect.fnUntraced(function* (
  nodes: NodeReader,
  asked: Iterable<Asked>
): Effect.fn.Return<(root: BlobHash, key: string) => Sought | undefined, StorageUnavailable> {
  const found = new Map<string, Sought>()
  let open = Array.from(asked, ({ root, key }) => ({
    root,
    key,
    at: root,
    behind: undefined as string | undefined
  }))
  while (open.length > 0) {
    const read = yield* nodes.at(new Set(open.map(({ at }) => at)))
    const below: typeof open = []
    for (const one of open) {
      const there = read(one.at)
      if (there._tag !== "Node") continue
      const { node } = there
      if (node.level === 0) {
        const index = lowerBound(node.keys, one.key)
        // What follows the last key of a node is the first one of the next, which its parent names.
        const key = node.keys[index] ?? one.behind
        found.set(`${one.root} ${one.key}`, { key, value: key === one.key ? node.values[index] : undefined })
        continue
      }
      const index = Math.max(0, childIndexOf(node, one.key))
      const child = childrenOf(node)[index]
      if (child !== undefined) below.push({ ...one, at: child, behind: node.keys[index + 1] ?? one.behind })
    }
    open = below
  }
  return (root, key) => found.get(`${root} ${key}`)
})
