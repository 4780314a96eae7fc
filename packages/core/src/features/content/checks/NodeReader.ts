/**
 * Reads the nodes of content without taking anything for granted: bytes that are not there, or are not what their hash
 * says, are an answer and no defect. The caches of the workspace are passed by, for they may know what is there no more.
 */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { DoctorRecords, RunState } from "../../../kernel/doctor/Check.ts"
import { inBatches, rowsWith } from "../../../kernel/doctor/lookups.ts"
import { hashOf } from "../../../kernel/storage/Blobs.ts"
import { type BlobHash, blobs, type StorageUnavailable } from "../../../kernel/storage/index.ts"
import { emptyRoot } from "../MerkleMap.ts"
import { decodeNode, emptyNode, encode, type Node, ordered } from "../MerkleNode.ts"

/** What is at a hash that names a node. */
export type Read =
  | { readonly _tag: "Node"; readonly node: Node }
  | { readonly _tag: "Missing" }
  /** Bytes that are no node, or not as nodes are written. */
  | { readonly _tag: "Malformed"; readonly why: string }

/** How many bytes of nodes are kept. */
const cacheBytes = 32 * 1024 * 1024

const isShaped = ({ level, keys, values }: Node): boolean =>
  Number.isInteger(level) &&
  level >= 0 &&
  keys.every((key) => typeof key === "string") &&
  values.every((value) => (level === 0 ? value !== undefined : typeof value === "string"))

const readNode = (hash: BlobHash, bytes: Uint8Array): Read => {
  if (hashOf(bytes) !== hash) return { _tag: "Malformed", why: "its bytes have another hash" }
  try {
    const node = decodeNode(bytes)
    if (!isShaped(node)) return { _tag: "Malformed", why: "its bytes are no node" }
    const again = encode({ ...node, values: node.values.map(ordered) })
    return hashOf(again) === hash
      ? { _tag: "Node", node }
      : { _tag: "Malformed", why: "it is not written as nodes are" }
  } catch {
    return { _tag: "Malformed", why: "its bytes are no node" }
  }
}

/** Reads nodes; those that were read last are kept, 32 MiB of them. */
export const makeNodeReader = (records: DoctorRecords) => {
  const known = new LRUCache<BlobHash, Read>({ maxSize: cacheBytes })
  known.set(emptyRoot, { _tag: "Node", node: emptyNode }, { size: 1 })
  return {
    /** What is at the hashes, by their hashes: by as few look-ups as can be. */
    at: Effect.fnUntraced(function* (
      hashes: Iterable<BlobHash>
    ): Effect.fn.Return<(hash: BlobHash) => Read, StorageUnavailable> {
      const found = new Map<BlobHash, Read>()
      const missing: Array<BlobHash> = []
      for (const hash of hashes) {
        const there = known.get(hash)
        if (there === undefined) missing.push(hash)
        else found.set(hash, there)
      }
      for (const list of inBatches(missing)) {
        for (const { hash, bytes } of yield* rowsWith(records, blobs, "hash", list, ["hash", "bytes"])) {
          const one = readNode(hash, bytes)
          found.set(hash, one)
          known.set(hash, one, { size: bytes.length + 1 })
        }
      }
      return (hash) => found.get(hash) ?? { _tag: "Missing" }
    })
  }
}

/** Reads nodes of content maps; see {@link makeNodeReader}. */
export interface NodeReader extends ReturnType<typeof makeNodeReader> {}

/** The reader of one run of the doctor. */
export const nodeReader: RunState<NodeReader> = { create: makeNodeReader }
