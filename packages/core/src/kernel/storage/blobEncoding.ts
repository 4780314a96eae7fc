/**
 * How the bytes of blobs are stored: as they are, compressed, or compressed with another blob as the dictionary (a delta).
 * A delta is never a dictionary, so that reading a blob reads at most two rows.
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

/** A blob that can be a dictionary. */
export interface BlobBase {
  /** The hash of the bytes. */
  readonly hash: BlobHash
  /** The decoded bytes. */
  readonly bytes: Uint8Array
}

/** Encodes bytes as a delta if they are similar to the bytes of `base`, else without dictionary if that saves an eighth. */
export const encodeBlob = (
  compression: Compression | undefined,
  bytes: Uint8Array,
  base?: BlobBase
): EncodedBytes => {
  const plain = { bytes, encoding: null, base: null }
  const size = bytes.length
  if (compression === undefined || size < minimumCompressedBytes || size > maximumCompressedBytes)
    return plain
  if (base !== undefined && size >= minimumDeltaBytes) {
    const delta = compression.compress(bytes, base.bytes)
    const limit = Math.max(size * maximumDeltaShare, Math.min(smallDeltaBytes, size / 3))
    if (delta.length <= limit) return { bytes: delta, encoding: "zstd", base: base.hash }
  }
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

/**
 * Decodes stored blobs. `find` returns the rows at hashes, with the columns `encodedColumns`, and is called at most once, for
 * dictionaries that are not among the rows. A blob that cannot be decoded, because it or its dictionary is corrupt or missing, is
 * absent from the result. The hashes are not verified.
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
  return Effect.map(missing.size === 0 ? Effect.succeed([]) : find([...missing]), (found) => {
    const bases = new Map(decoded)
    for (const row of found) {
      const bytes =
        row.base === null || row.base === undefined ? decodeBytes(compression, row, undefined) : undefined
      if (bytes !== undefined) bases.set(row.hash, bytes)
    }
    for (const row of deltas) {
      const dictionary = bases.get(row.base!)
      const bytes = dictionary && decodeBytes(compression, row, dictionary)
      if (bytes !== undefined) decoded.set(row.hash, bytes)
    }
    return decoded
  })
}
