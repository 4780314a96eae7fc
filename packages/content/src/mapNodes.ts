/** Loads the nodes of Merkle maps. */

import type { BlobHash, BlobReader, StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { emptyRoot, type FanOut, type Node } from "./MerkleNode.ts"

/** Creates the functions that load nodes. */
export const nodeReader = (nodes: BlobReader<Node>, fanOut: FanOut) => {
  const emptyNode: Node = { fanOut, level: 0, keys: [], values: [] }

  const load = (hash: BlobHash): Effect.Effect<Node, StorageUnavailable> =>
    hash === emptyRoot ? Effect.succeed(emptyNode) : nodes.get(hash)

  /** Returns a cached node synchronously. Most nodes are cached, and then need no effect. */
  const cached = (hash: BlobHash): Node | undefined => (hash === emptyRoot ? emptyNode : nodes.peek(hash))

  return { load, cached, getMany: nodes.getMany }
}

/** Loads nodes, or returns cached ones. */
export type NodeReader = ReturnType<typeof nodeReader>
