/**
 * Which bytes content reaches, as far as it takes to count those that nothing does: 48 bits of each hash, about 40
 * bytes of memory for each. Two hashes that share them would be counted as one, which is of no harm.
 */
import type { RunState } from "../../../kernel/doctor/Check.ts"
import type { BlobHash } from "../../../kernel/storage/index.ts"
import { emptyRoot } from "../MerkleMap.ts"

/** The most that are noted: 400 MB of memory. What is beyond is not counted as garbage, nor as anything else. */
const most = 10_000_000

/** A set of hashes. */
export interface ReachableBlobs {
  readonly add: (hash: BlobHash) => void
  readonly has: (hash: BlobHash) => boolean
}

const bits = (hash: string): number => {
  let value = 0
  // Eight characters of six bits: a character's code tells it from all others of the alphabet.
  for (let at = 0; at < 8; at++) value = value * 64 + sixBits(hash.charCodeAt(at))
  return value
}

/** The value of a character of URL-safe base 64. */
const sixBits = (code: number): number => {
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
      if (seen.size < most) seen.add(bits(hash))
    },
    has: (hash) => seen.has(bits(hash)) || seen.size >= most
  }
}

/** The set of one run of the doctor; the root of empty content is always in it. */
export const reachableBlobs: RunState<ReachableBlobs> = {
  create: () => {
    const reachable = makeReachableBlobs()
    reachable.add(emptyRoot)
    return reachable
  }
}
