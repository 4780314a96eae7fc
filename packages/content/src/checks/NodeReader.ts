/**
 * Reads nodes of content maps that may be corrupt: missing or malformed bytes are results instead of defects. It
 * bypasses the caches of the workspace, which can have nodes that are missing in the store.
 */

import {
  type BlobHash,
  type DoctorRecords,
  hashOf,
  inBatches,
  type RunState,
  type StorageUnavailable
} from "@lectern/kernel"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { decodeNode, emptyRoot, encodeNode, type Node, newFanOut, sortKeys } from "../MerkleNode.ts"
import { readBlobs } from "./readBlobs.ts"

/** The result of reading the node at a hash. */
export type NodeResult =
  | { readonly _tag: "Node"; readonly node: Node }
  | { readonly _tag: "Missing" }
  /** The bytes are not a node, or not in the canonical encoding. */
  | { readonly _tag: "Malformed"; readonly why: string }

/** The maximum size of the cache, in bytes as stored. */
const cacheBytes = 32 * 1024 * 1024

/** Whether decoded JSON has the shape of a node. */
const hasNodeShape = ({ level, keys, values }: Node): boolean =>
  Number.isInteger(level) &&
  level >= 0 &&
  keys.every((key) => typeof key === "string") &&
  values.every((value) => (level === 0 ? value !== undefined : typeof value === "string"))

const readNode = (hash: BlobHash, bytes: Uint8Array): NodeResult => {
  if (hashOf(bytes) !== hash) return { _tag: "Malformed", why: "its bytes have a different hash" }
  try {
    const node = decodeNode(bytes)
    if (!hasNodeShape(node)) return { _tag: "Malformed", why: "its bytes are not a node" }
    const canonical = encodeNode({ ...node, values: node.values.map(sortKeys) })
    return hashOf(canonical) === hash
      ? { _tag: "Node", node }
      : { _tag: "Malformed", why: "its encoding is not canonical" }
  } catch {
    return { _tag: "Malformed", why: "its bytes are not a node" }
  }
}

/** Creates a reader with a cache of 32 MiB for the most recently read nodes. */
export const makeNodeReader = (records: DoctorRecords) => {
  const cache = new LRUCache<BlobHash, NodeResult>({ maxSize: cacheBytes })
  const node: Node = { fanOut: newFanOut, level: 0, keys: [], values: [] }
  cache.set(emptyRoot, { _tag: "Node", node }, { size: 1 })
  return {
    /** Reads the nodes at the hashes in batches. The function that it returns has the result for each of them. */
    readMany: Effect.fnUntraced(function* (
      hashes: Iterable<BlobHash>
    ): Effect.fn.Return<(hash: BlobHash) => NodeResult, StorageUnavailable> {
      const found = new Map<BlobHash, NodeResult>()
      const missing: Array<BlobHash> = []
      for (const hash of hashes) {
        const cached = cache.get(hash)
        if (cached === undefined) missing.push(hash)
        else found.set(hash, cached)
      }
      for (const list of inBatches(missing)) {
        for (const [hash, bytes] of yield* readBlobs(records, list)) {
          const result: NodeResult =
            bytes === undefined
              ? { _tag: "Malformed", why: "its bytes cannot be decoded" }
              : readNode(hash, bytes)
          found.set(hash, result)
          cache.set(hash, result, { size: (bytes?.length ?? 0) + 1 })
        }
      }
      return (hash) => found.get(hash) ?? { _tag: "Missing" }
    })
  }
}

/** Reads nodes of content maps that may be corrupt. */
export interface NodeReader extends ReturnType<typeof makeNodeReader> {}

/** The reader that the examinations of one run share. */
export const nodeReader: RunState<NodeReader> = { create: makeNodeReader }
