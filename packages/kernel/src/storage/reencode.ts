/** Stores existing blobs again, as the difference from an earlier version or compressed. */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { type BlobHash, type BlobRow, blobs } from "./Blobs.ts"
import {
  decodeBlobs,
  type EncodedBytes,
  encodeBlob,
  encodedColumns,
  maximumCompressedBytes
} from "./blobEncoding.ts"
import type { Records } from "./Records.ts"
import type { Compression } from "./RecordsAdapter.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import * as Where from "./Where.ts"

/** The counts of one batch. */
export interface ReencodedBatch {
  readonly examined: number
  readonly encoded: number
  readonly savedBytes: number
}

/** The number of dictionaries that are cached decoded. */
const cachedBases = 100

/** The number of differences per query. */
const deltasPerQuery = 5_000

/** Renews the time of use of blobs, so that garbage collection does not delete them. */
type Renew = (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<unknown, StorageUnavailable>

/** Returns the blobs that others are stored as the difference from. */
const findDictionaries = Effect.fnUntraced(function* (records: Records["Service"]) {
  const dictionaries = new Set<BlobHash>()
  for (let last: BlobHash | undefined; ; ) {
    const deltas: ReadonlyArray<Pick<BlobRow, "hash" | "base">> = yield* records.find(blobs, {
      select: ["hash", "base"],
      where: Where.not(Where.isNull("base")),
      limit: deltasPerQuery,
      ...(last === undefined ? {} : { after: [last] })
    })
    for (const { base } of deltas) dictionaries.add(base!)
    if (deltas.length < deltasPerQuery) return dictionaries
    last = deltas.at(-1)!.hash
  }
})

/** Replaces the stored bytes of a blob, if no other process has. Returns whether it did. */
const replace = (
  records: Records["Service"],
  { hash, encoding }: Pick<BlobRow, "hash" | "encoding">,
  { bytes, encoding: next = null, base = null }: EncodedBytes
) =>
  Effect.map(
    records.update(
      blobs,
      Where.and<BlobRow>(
        Where.eq("hash", hash),
        Where.isNull("base"),
        encoding === null ? Where.isNull("encoding") : Where.eq("encoding", encoding)
      ),
      { bytes, encoding: next, base }
    ),
    (count) => count > 0
  )

/**
 * Creates the functions that store blobs again. Blobs of `current` do not become differences, and neither do the dictionaries of
 * other blobs.
 */
export const makeReencoder = Effect.fnUntraced(function* (
  records: Records["Service"],
  compression: Compression,
  renew: Renew,
  current: ReadonlySet<BlobHash>
) {
  const dictionaries = yield* findDictionaries(records)
  const baseBytes = new LRUCache<BlobHash, Uint8Array>({ max: cachedBases })

  const find = (hashes: ReadonlyArray<BlobHash>) =>
    records.find(blobs, { select: encodedColumns, where: Where.isIn("hash", hashes) })

  const decode = (rows: ReadonlyArray<Pick<BlobRow, (typeof encodedColumns)[number]>>) =>
    decodeBlobs(compression, rows, find)

  return {
    /** Stores each blob as the difference from the blob that it replaced, if that is smaller. */
    storeVersions: Effect.fnUntraced(function* (
      versions: ReadonlyArray<readonly [hash: BlobHash, previous: BlobHash]>
    ): Effect.fn.Return<ReencodedBatch, StorageUnavailable> {
      const found = yield* find([...new Set(versions.flat())])
      const replaceAll = Effect.gen(function* () {
        // A transaction that is repeated starts over.
        const rows = new Map(found.map((row) => [row.hash, row]))
        const bases = new Set<BlobHash>()
        let [encoded, savedBytes] = [0, 0]
        for (const [hash, previous] of versions) {
          const [row, before] = [rows.get(hash), rows.get(previous)]
          if (row === undefined || before === undefined || row.base !== null) continue
          if (dictionaries.has(hash) || current.has(hash)) continue
          // The dictionary of a dictionary is not used, so that reading a blob reads at most three rows.
          const base = before.base ?? before.hash
          if (base === hash) continue
          let dictionary = baseBytes.get(base)
          if (dictionary === undefined) {
            dictionary = (yield* decode(yield* find([base]))).get(base)
            if (dictionary === undefined) continue
            baseBytes.set(base, dictionary)
          }
          const bytes = (yield* decode([row])).get(hash)
          if (bytes === undefined) continue
          const next = encodeBlob(compression, bytes, { first: { hash: base, bytes: dictionary } })
          if (next.base !== base || !(yield* replace(records, row, next))) continue
          dictionaries.add(base)
          bases.add(base)
          rows.set(hash, { ...row, encoding: next.encoding ?? null, base, bytes: next.bytes })
          encoded++
          savedBytes += row.bytes.length - next.bytes.length
        }
        if (bases.size > 0) yield* renew([...bases])
        return { examined: versions.length, encoded, savedBytes }
      })
      return yield* records.lockedTransaction([], replaceAll)
    }),

    /** Compresses plain blobs in the order of their hashes, at most `limit`. `next` is undefined after the last one. */
    compress: Effect.fnUntraced(function* (
      after: BlobHash | undefined,
      limit: number
    ): Effect.fn.Return<ReencodedBatch & { readonly next: BlobHash | undefined }, StorageUnavailable> {
      const rows = yield* records.find(blobs, {
        select: encodedColumns,
        where: Where.isNull("encoding"),
        limit,
        ...(after === undefined ? {} : { after: [after] })
      })
      const replaceAll = Effect.gen(function* () {
        let [encoded, savedBytes] = [0, 0]
        for (const row of rows) {
          if (row.bytes.length > maximumCompressedBytes) continue
          const next = encodeBlob(compression, row.bytes)
          if (next.encoding === null || !(yield* replace(records, row, next))) continue
          encoded++
          savedBytes += row.bytes.length - next.bytes.length
        }
        return { examined: rows.length, encoded, savedBytes }
      })
      const counts = yield* records.lockedTransaction([], replaceAll)
      return { ...counts, next: rows.length < limit ? undefined : rows.at(-1)!.hash }
    })
  }
})
