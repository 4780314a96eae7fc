/**
 * The set of blobs that content references, for counting unreachable blobs. It stores 48 bits of each hash, in about 40
 * bytes of memory. A collision makes the count too low, which is harmless.
 */
import type { BlobHash, RunState } from "@lectern/kernel"
import { emptyRoot } from "../MerkleNode.ts"

/** The maximum size of the set, which takes 400 MB of memory. Once it is full, every blob counts as reachable. */
const maximumSize = 10_000_000

/** A bounded set of hashes. */
export interface ReachableBlobs {
  readonly add: (hash: BlobHash) => void
  /** Whether a hash was added. Can return true for others. */
  readonly has: (hash: BlobHash) => boolean
}

/** The first 48 bits of a hash. */
const first48Bits = (hash: string): number => {
  let value = 0
  // Eight characters have six bits each.
  for (let at = 0; at < 8; at++) value = value * 64 + base64Value(hash.charCodeAt(at))
  return value
}

/** The value of a character of URL-safe base64. */
const base64Value = (code: number): number => {
  if (code >= 97) return code - 71
  if (code === 95) return 63
  if (code >= 65) return code - 65
  return code === 45 ? 62 : code + 4
}

/** Creates an empty set. */
export const makeReachableBlobs = (): ReachableBlobs => {
  const seen = new Set<number>()
  return {
    add: (hash) => {
      if (seen.size < maximumSize) seen.add(first48Bits(hash))
    },
    has: (hash) => seen.has(first48Bits(hash)) || seen.size >= maximumSize
  }
}

/** The set that the examinations of one run share. It initially has the root of empty content. */
export const reachableBlobs: RunState<ReachableBlobs> = {
  create: () => {
    const reachable = makeReachableBlobs()
    reachable.add(emptyRoot)
    return reachable
  }
}
