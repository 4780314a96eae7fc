/**
 * Content-addressed storage of bytes, which all content consists of. Equal bytes are stored once, and the bytes at a
 * hash never change, so that they are cached without invalidation.
 */

import { type Brand, Clock, Context, Effect, Layer, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { LRUCache } from "lru-cache"
import { cacheCountsOf } from "../observability/cacheCounts.ts"
import { sha256 } from "../sha256.ts"
import { toTimestamp } from "../time.ts"
import {
  type BlobBase,
  BlobCompression,
  type BlobEncoding,
  decodeBlobs,
  encodeBlob,
  encodedColumns,
  maximumCompressedBytes,
  minimumDeltaBytes
} from "./blobEncoding.ts"
import { cacheShare } from "./CacheSize.ts"
import { Records } from "./Records.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import * as Table from "./Table.ts"
import * as Where from "./Where.ts"

/** The SHA-256 of bytes, as 43 characters of URL-safe Base64. */
export const BlobHash = Schema.String.pipe(Schema.brand("BlobHash"))
export type BlobHash = string & Brand.Brand<"BlobHash">

const blobColumns = {
  hash: Table.text<BlobHash>(),
  bytes: Table.bytes(),
  usedAt: Table.text(),
  encoding: Table.nullable(Table.text<BlobEncoding>()),
  base: Table.nullable(Table.text<BlobHash>())
}
interface BlobRow extends Table.RowOf<typeof blobColumns> {}

/**
 * Blobs. `usedAt` is when the bytes were last put, to within half a day: garbage collection deletes blobs that are
 * unreachable and were not put recently. `encoding` and `base` state how `bytes` are compressed: see `blobEncoding.ts`.
 * `base` is the hash of a blob without `base`, which remains as long as blobs that name it.
 */
export const blobs: Table.Table<"blobs", BlobRow, "hash"> = Table.make("blobs", {
  columns: blobColumns,
  locking: Table.withoutLocks,
  key: ["hash"]
})

/** The age at which storing a blob again updates `usedAt`: half a day, so that most repetitions write nothing. */
export const renewalMillis: number = 12 * 60 * 60 * 1000

/** Computes the hash of bytes. */
export const hashOf = (bytes: Uint8Array): BlobHash => BlobHash.make(Base64Url.encode(sha256(bytes)))

/**
 * A cache of values that are decoded from blobs. It needs no invalidation, because a hash always names the same bytes.
 */
export interface BlobReader<A> {
  /** Returns the cached value at a hash, without a query, or `undefined`. */
  readonly peek: (hash: BlobHash) => A | undefined
  /** Caches a value that was just encoded as `bytes`, because it is likely to be read soon. */
  readonly put: (hash: BlobHash, value: A, bytes: Uint8Array) => void
  /** Returns the value at a hash. Dies if the bytes are missing: every stored hash refers to stored bytes. */
  readonly get: (hash: BlobHash) => Effect.Effect<A, StorageUnavailable>
  /** Returns the values at the hashes, in their order, with at most one query. */
  readonly getMany: (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
}

/** The maximum size of the cache of dictionaries of deltas, in bytes. */
const baseCacheBytes = 8 * 1024 * 1024

/** The maximum number of blobs whose dictionary is cached. */
const baseCacheEntries = 10_000

const makeBlobs = Effect.gen(function* () {
  const records = yield* Records
  const { compression } = records
  const writeCompression = (yield* BlobCompression) ? compression : undefined
  /** The bytes of blobs that are dictionaries of deltas. */
  const baseBytes = new LRUCache<BlobHash, Uint8Array>({
    maxSize: yield* cacheShare(baseCacheBytes),
    sizeCalculation: (bytes) => bytes.length + 1
  })
  /** The dictionaries that were found last, by the blob before. They are verified by a query. */
  const likelyBases = new LRUCache<BlobHash, BlobHash>({ max: baseCacheEntries })

  const findRows = (hashes: ReadonlyArray<BlobHash>) =>
    records.find(blobs, {
      select: encodedColumns,
      where: hashes.length === 1 ? Where.eq("hash", hashes[0]!) : Where.isIn("hash", hashes)
    })

  const find = (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.Effect<ReadonlyMap<BlobHash, Uint8Array>, StorageUnavailable> =>
    hashes.length === 0
      ? Effect.succeed(new Map())
      : Effect.flatMap(findRows(hashes), (rows) => decodeBlobs(compression, rows, findRows))

  /** Updates `usedAt` of blobs that have been used before the last half day. Returns the number of those. */
  const renewAll = (
    hashes: ReadonlyArray<BlobHash>,
    millis: number
  ): Effect.Effect<number, StorageUnavailable> =>
    records.update(
      blobs,
      Where.and<BlobRow>(Where.isIn("hash", hashes), Where.lt("usedAt", toTimestamp(millis - renewalMillis))),
      { usedAt: toTimestamp(millis) }
    )

  /**
   * Finds the dictionaries for bytes that replace these blobs, and updates their `usedAt`: garbage collection that does
   * not find the delta must not delete its dictionary.
   */
  const findBases = Effect.fnUntraced(function* (
    previous: ReadonlySet<BlobHash>,
    millis: number
  ): Effect.fn.Return<ReadonlyMap<BlobHash, BlobBase>, StorageUnavailable> {
    const wanted = new Set(previous)
    for (const hash of previous) {
      const base = likelyBases.get(hash)
      if (base !== undefined) wanted.add(base)
    }
    const usedAt = new Map<BlobHash, string>()
    const baseOf = new Map<BlobHash, BlobHash>()
    const rows = yield* records.find(blobs, {
      select: ["hash", "base", "usedAt"],
      where: Where.isIn("hash", [...wanted])
    })
    for (const row of rows) {
      usedAt.set(row.hash, row.usedAt)
      if (!previous.has(row.hash)) continue
      baseOf.set(row.hash, row.base ?? row.hash)
      likelyBases.set(row.hash, row.base ?? row.hash)
    }
    const bytesOf = new Map<BlobHash, Uint8Array>()
    const missing = new Set<BlobHash>()
    for (const hash of new Set(baseOf.values())) {
      const bytes = baseBytes.get(hash)
      if (bytes !== undefined) bytesOf.set(hash, bytes)
      if (bytes === undefined || !usedAt.has(hash)) missing.add(hash)
    }
    if (missing.size > 0) {
      const found = yield* records.find(blobs, {
        select: [...encodedColumns, "usedAt"],
        where: Where.isIn("hash", [...missing])
      })
      for (const row of found) usedAt.set(row.hash, row.usedAt)
      for (const [hash, bytes] of yield* decodeBlobs(compression, found, () => Effect.succeed([]))) {
        bytesOf.set(hash, bytes)
        baseBytes.set(hash, bytes)
      }
    }
    const bases = new Map<BlobHash, BlobBase>()
    const old: Array<BlobHash> = []
    for (const [hash, base] of baseOf) {
      const [bytes, time] = [bytesOf.get(base), usedAt.get(base)]
      if (bytes === undefined || time === undefined) continue
      bases.set(hash, { hash: base, bytes })
      if (time < toTimestamp(millis - renewalMillis)) old.push(base)
    }
    if (old.length > 0) yield* renewAll(old, millis)
    return bases
  })

  /** Updates `usedAt` of blobs that exist, and of their dictionaries. */
  const renewExisting = Effect.fnUntraced(function* (hashes: ReadonlyArray<BlobHash>, millis: number) {
    const deltas =
      compression === undefined
        ? []
        : yield* records.find(blobs, {
            select: ["base"],
            where: Where.and<BlobRow>(Where.isIn("hash", hashes), Where.not(Where.isNull("base")))
          })
    yield* renewAll([...hashes, ...deltas.flatMap(({ base }) => base ?? [])], millis)
  })

  return {
    /**
     * Stores the bytes that are not stored yet, and returns all hashes. Call it in the transaction that stores the
     * references to them. `previous` has the hashes of earlier versions, in the same order: bytes that differ little from
     * theirs are stored as the difference.
     */
    put: Effect.fnUntraced(function* (
      all: Iterable<Uint8Array>,
      previous: ReadonlyArray<BlobHash | undefined> = []
    ): Effect.fn.Return<ReadonlyArray<BlobHash>, StorageUnavailable> {
      const millis = yield* Clock.currentTimeMillis
      const items = Array.from(all, (bytes, index) => ({
        hash: hashOf(bytes),
        bytes,
        previous:
          bytes.length >= minimumDeltaBytes && bytes.length <= maximumCompressedBytes
            ? previous[index]
            : undefined
      }))
      const versions = new Set(items.flatMap((item) => item.previous ?? []))
      const bases: ReadonlyMap<BlobHash, BlobBase> =
        writeCompression === undefined || versions.size === 0 ? new Map() : yield* findBases(versions, millis)
      const rows = items.map(({ hash, bytes, previous }): BlobRow => {
        const encoded = encodeBlob(
          writeCompression,
          bytes,
          previous === undefined ? undefined : bases.get(previous)
        )
        return {
          hash,
          bytes: encoded.bytes,
          usedAt: toTimestamp(millis),
          encoding: encoded.encoding ?? null,
          base: encoded.base ?? null
        }
      })
      const hashes = rows.map((row) => row.hash)
      const added = yield* records.insertMissing(blobs, rows)
      if (added < rows.length) yield* renewExisting(hashes, millis)
      return hashes
    }),

    /**
     * Updates `usedAt` of the blob at a hash as `put` does. Returns 1, or 0 if it does not exist. Call it in the transaction
     * that stores a reference to the blob.
     */
    renew: Effect.fnUntraced(function* (hash: BlobHash): Effect.fn.Return<number, StorageUnavailable> {
      const [row] = yield* records.find(blobs, {
        select: ["usedAt", "base"],
        where: Where.eq("hash", hash)
      })
      if (row === undefined) return 0
      const millis = yield* Clock.currentTimeMillis
      if (row.base !== null) yield* renewAll([row.base], millis)
      if (row.usedAt >= toTimestamp(millis - renewalMillis)) return 1
      // 0 if garbage collection has deleted the blob since.
      return yield* renewAll([hash], millis)
    }),

    /**
     * Returns at most `limit` blobs that are stored as differences, each with its dictionary, by ascending hash, starting
     * after `after`.
     */
    deltas: (
      after: BlobHash | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<Pick<BlobRow, "hash" | "base" | "usedAt">>, StorageUnavailable> =>
      records.find(blobs, {
        select: ["hash", "base", "usedAt"],
        where: Where.not(Where.isNull("base")),
        limit,
        ...(after === undefined ? {} : { after: [after] })
      }),

    /** Returns at most `limit` blobs that were last put before `moment`, by ascending hash, starting after `after`. */
    unusedSince: (
      moment: string,
      after: BlobHash | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<BlobHash>, StorageUnavailable> =>
      Effect.map(
        records.find(blobs, {
          select: ["hash"],
          where: Where.lt("usedAt", moment),
          limit,
          ...(after === undefined ? {} : { after: [after] })
        }),
        (rows) => rows.map(({ hash }) => hash)
      ),

    /** Deletes the blobs that were last stored before `moment`, and returns their number. */
    remove: (hashes: ReadonlyArray<BlobHash>, moment: string): Effect.Effect<number, StorageUnavailable> =>
      records.remove(blobs, Where.and<BlobRow>(Where.isIn("hash", hashes), Where.lt("usedAt", moment))),

    /** Returns the bytes at a hash, or `undefined`. */
    find: (hash: BlobHash): Effect.Effect<Uint8Array | undefined, StorageUnavailable> =>
      Effect.map(find([hash]), (found) => found.get(hash)),

    /**
     * Creates a least-recently-used cache of decoded blobs, which together have at most `maximumBytes` bytes. Metrics count
     * lookups under `name`.
     */
    reader: <A extends {}>(
      name: string,
      decode: (bytes: Uint8Array) => A,
      maximumBytes: number
    ): BlobReader<A> => {
      const counts = cacheCountsOf(name)
      const cache = new LRUCache<BlobHash, A>({ maxSize: maximumBytes, maxEntrySize: maximumBytes >> 3 })
      const cacheValue = (hash: BlobHash, value: A, bytes: Uint8Array): void => {
        cache.set(hash, value, { size: bytes.length + 1 })
      }
      const getMany = Effect.fnUntraced(function* (hashes: ReadonlyArray<BlobHash>) {
        // Cached values are read before the query: its results may evict them.
        const all = new Map<BlobHash, A>()
        const missing = new Set<BlobHash>()
        for (const hash of hashes) {
          const value = cache.get(hash)
          if (value === undefined) missing.add(hash)
          else all.set(hash, value)
        }
        counts.hits += all.size
        counts.misses += missing.size
        for (const [hash, bytes] of yield* find([...missing])) {
          const value = decode(bytes)
          all.set(hash, value)
          cacheValue(hash, value, bytes)
        }
        const values: Array<A> = []
        for (const hash of hashes) {
          const value = all.get(hash)
          if (value === undefined) return yield* Effect.die(new Error(`The blob ${hash} is missing.`))
          values.push(value)
        }
        return values
      })
      return {
        peek: (hash) => {
          const value = cache.get(hash)
          // After a miss, `get` counts the lookup.
          if (value !== undefined) counts.hits++
          return value
        },
        put: cacheValue,
        get: (hash) => {
          const value = cache.get(hash)
          if (value === undefined) return Effect.map(getMany([hash]), (values) => values[0]!)
          counts.hits++
          return Effect.succeed(value)
        },
        getMany
      }
    }
  }
})

/** The methods of {@link Blobs}. */
export interface BlobsService extends Effect.Success<typeof makeBlobs> {}

/** Stores bytes by their SHA-256, and reads them through caches of decoded values. */
export class Blobs extends Context.Service<Blobs, BlobsService>()("@lectern/core/Blobs") {
  static readonly layer: Layer.Layer<Blobs, never, Records> = Layer.effect(Blobs, makeBlobs)
}
