/**
 * How the bytes of blobs are stored: as they are, compressed, or compressed with another blob as the dictionary (a delta).
 * The dictionary can be a delta itself, from a blob that is not a delta, so that reading a blob reads at most three rows.
 */
import { Context, Effect } from "effect"
import type { BlobHash } from "./Blobs.ts"
import type { Compression } from "./RecordsAdapter.ts"

/**
 * Whether blobs are stored compressed if the store can; true by default. Compressed blobs are read in any case. It is read when the
 * workspace is built.
 */
export const BlobCompression = Context.Reference<boolean>("@lectern/core/BlobCompression", {
  defaultValue: () => true
})

/** The encoding of a compressed blob. */
export type BlobEncoding = "zstd"

/** The bytes of a blob, as they are stored. */
export interface EncodedBytes {
  /** The stored bytes. */
  readonly bytes: Uint8Array
  /** The encoding; null or absent for plain bytes. */
  readonly encoding?: BlobEncoding | null
  /** The blob that is the dictionary; null or absent for none. */
  readonly base?: BlobHash | null
}

/** A stored blob. */
export interface StoredBlob extends EncodedBytes {
  /** The hash of the decoded bytes. */
  readonly hash: BlobHash
}

/** The columns that {@link decodeBlobs} requires. */
export const encodedColumns = ["hash", "bytes", "encoding", "base"] as const

/** The size from which bytes are compressed: smaller ones gain less than the frame costs. */
const minimumCompressedBytes = 128

/** The size up to which bytes are compressed. Larger ones are chunks of files, most of which are compressed formats. */
export const maximumCompressedBytes: number = 256 * 1024

/** The size from which deltas are stored: below it, the hash of the dictionary costs more than the delta saves. */
export const minimumDeltaBytes = 256

/** The maximum size of a delta in relation to its bytes. A larger difference is stored without dictionary, and becomes the next one. */
const maximumDeltaShare = 1 / 8

/** The size up to which any delta of at most a third of the bytes is stored. */
const smallDeltaBytes = 192

/** The size up to which a delta from the first dictionary is not worth a second one. */
const tinyDeltaBytes = 96

/** The usual size of a blob without dictionary in a file, in relation to its bytes: compressed, in partly used pages. */
const storedShare = 0.8

/** The growth of a delta per version that is assumed at least, in bytes: an edit can also revert an earlier one. */
const minimumGrowth = 10

/** A blob that can be a dictionary. */
export interface BlobBase {
  /** The hash of the bytes. */
  readonly hash: BlobHash
  /** The decoded bytes. */
  readonly bytes: Uint8Array
}

/** The dictionaries of bytes that replace a version. */
export interface BlobHistory {
  /** The dictionary of the version, which is not a delta; the version itself if it is not a delta. */
  readonly first: BlobBase
  /** The version if it is a delta from `first`, or its dictionary if that is one. */
  readonly second?: BlobBase
  /** The size of the delta that the version is from `second`, in bytes; undefined if it is `second` itself. */
  readonly previousDelta?: number | undefined
}

/**
 * Whether a delta from the second dictionary has grown so much that another one is cheaper. With a dictionary of `d` bytes and
 * deltas that grow by `g` bytes per version, `n` versions take `d + g n² / 2` bytes, which is the least per version if the last
 * delta has `√(2 d g)` bytes.
 */
const isOutgrown = (delta: number, previousDelta: number, dictionary: number): boolean =>
  delta ** 2 > 2 * dictionary * Math.max(delta - previousDelta, minimumGrowth)

/** Encodes bytes as a delta, if they are similar to one of the dictionaries. */
const encodeDelta = (
  compression: Compression,
  bytes: Uint8Array,
  { first, second, previousDelta }: BlobHistory
): EncodedBytes | undefined => {
  const limit = Math.max(bytes.length * maximumDeltaShare, Math.min(smallDeltaBytes, bytes.length / 3))
  const deltaFrom = (base: BlobBase): EncodedBytes => ({
    bytes: compression.compress(bytes, base.bytes),
    encoding: "zstd",
    base: base.hash
  })
  const fromFirst = deltaFrom(first)
  const [size, isStored] = [fromFirst.bytes.length, fromFirst.bytes.length <= limit]
  if (second === undefined || size <= tinyDeltaBytes) return isStored ? fromFirst : undefined
  const fromSecond = deltaFrom(second)
  const smaller = fromSecond.bytes.length
  if (smaller > limit) return isStored ? fromFirst : undefined
  const [isWorthIt, other] = isStored
    ? [
        previousDelta === undefined ? smaller * 2 <= size : !isOutgrown(smaller, previousDelta, size),
        fromFirst
      ]
    : [!isOutgrown(smaller, previousDelta ?? 0, bytes.length * storedShare), undefined]
  return isWorthIt ? fromSecond : other
}

/** Encodes bytes as a delta if they are similar to an earlier version, else without dictionary if that saves an eighth. */
export const encodeBlob = (
  compression: Compression | undefined,
  bytes: Uint8Array,
  history?: BlobHistory
): EncodedBytes => {
  const plain = { bytes, encoding: null, base: null }
  const size = bytes.length
  if (compression === undefined || size < minimumCompressedBytes || size > maximumCompressedBytes)
    return plain
  const delta =
    history === undefined || size < minimumDeltaBytes ? undefined : encodeDelta(compression, bytes, history)
  if (delta !== undefined) return delta
  const compressed = compression.compress(bytes)
  return compressed.length <= size - (size >> 3) ? { bytes: compressed, encoding: "zstd", base: null } : plain
}

/** Returns the decoded bytes; undefined if they are corrupt, or if the store does not support their encoding. */
const decodeBytes = (
  compression: Compression | undefined,
  { bytes, encoding }: EncodedBytes,
  dictionary: Uint8Array | undefined
): Uint8Array | undefined => {
  if (encoding === null || encoding === undefined) return bytes
  if (compression === undefined) return undefined
  try {
    return compression.decompress(bytes, maximumCompressedBytes, dictionary)
  } catch {
    return undefined
  }
}

/** The maximum number of dictionaries that reading a blob reads. More than two are the result of a race. */
const maximumBases = 8

/**
 * Decodes stored blobs. `find` returns the rows at hashes, with the columns `encodedColumns`, and is called for dictionaries that
 * are not among the rows: at most twice, unless a dictionary has become a delta while another process used it. A blob that
 * cannot be decoded, because it or its dictionary is corrupt or missing, is absent from the result. The hashes are not
 * verified.
 */
export const decodeBlobs = <E, R>(
  compression: Compression | undefined,
  rows: ReadonlyArray<StoredBlob>,
  find: (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<ReadonlyArray<StoredBlob>, E, R>
): Effect.Effect<Map<BlobHash, Uint8Array>, E, R> => {
  const decoded = new Map<BlobHash, Uint8Array>()
  const deltas: Array<StoredBlob> = []
  const missing = new Set<BlobHash>()
  for (const row of rows) {
    if (row.base !== null && row.base !== undefined) {
      deltas.push(row)
      missing.add(row.base)
      continue
    }
    const bytes = decodeBytes(compression, row, undefined)
    if (bytes !== undefined) decoded.set(row.hash, bytes)
  }
  if (deltas.length === 0) return Effect.succeed(decoded)
  for (const hash of decoded.keys()) missing.delete(hash)
  return Effect.map(decodeBases(compression, [...missing], find, maximumBases), (bases) => {
    for (const row of deltas) {
      const dictionary = decoded.get(row.base!) ?? bases.get(row.base!)
      const bytes = dictionary && decodeBytes(compression, row, dictionary)
      if (bytes !== undefined) decoded.set(row.hash, bytes)
    }
    return decoded
  })
}

/** Decodes dictionaries, of which at most `depth` can be differences from each other. */
const decodeBases = <E, R>(
  compression: Compression | undefined,
  hashes: ReadonlyArray<BlobHash>,
  find: (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<ReadonlyArray<StoredBlob>, E, R>,
  depth: number
): Effect.Effect<ReadonlyMap<BlobHash, Uint8Array>, E, R> => {
  if (hashes.length === 0 || depth === 0) return Effect.succeed(new Map())
  return Effect.flatMap(find(hashes), (found) => {
    const further = found.flatMap(({ base }) => base ?? [])
    return Effect.map(decodeBases(compression, further, find, depth - 1), (bases) => {
      const decoded = new Map<BlobHash, Uint8Array>()
      for (const row of found) {
        const dictionary = row.base === null || row.base === undefined ? undefined : bases.get(row.base)
        if (row.base !== null && row.base !== undefined && dictionary === undefined) continue
        const bytes = decodeBytes(compression, row, dictionary)
        if (bytes !== undefined) decoded.set(row.hash, bytes)
      }
      return decoded
    })
  })
}
