/**
 * Content-addressed storage of bytes, which all content consists of. Equal bytes are stored once, and the bytes at a
 * hash never change, so that they are cached without invalidation.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { type Brand, Clock, Context, Effect, Layer, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { LRUCache } from "lru-cache"
import { cacheCountsOf } from "../observability/cacheCounts.ts"
import { toTimestamp } from "../time.ts"
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
  usedAt: Table.text()
}
interface BlobRow extends Table.RowOf<typeof blobColumns> {}

/**
 * Blobs. `usedAt` is when the bytes were last put, to within half a day: garbage collection deletes blobs that are
 * unreachable and were not put recently.
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

const makeBlobs = Effect.gen(function* () {
  const records = yield* Records

  const find = (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.Effect<ReadonlyMap<BlobHash, Uint8Array>, StorageUnavailable> =>
    hashes.length === 0
      ? Effect.succeed(new Map())
      : Effect.map(
          records.find(blobs, {
            select: ["hash", "bytes"],
            where: hashes.length === 1 ? Where.eq("hash", hashes[0]!) : Where.isIn("hash", hashes)
          }),
          (rows) => new Map(rows.map((row) => [row.hash, row.bytes]))
        )

  return {
    /**
     * Stores the bytes that are not stored yet, and returns all hashes. Call it in the transaction that stores the
     * references to them.
     */
    put: Effect.fnUntraced(function* (
      all: Iterable<Uint8Array>
    ): Effect.fn.Return<ReadonlyArray<BlobHash>, StorageUnavailable> {
      const millis = yield* Clock.currentTimeMillis
      const rows = Array.from(all, (bytes) => ({ hash: hashOf(bytes), bytes, usedAt: toTimestamp(millis) }))
      const hashes = rows.map((row) => row.hash)
      const added = yield* records.insertMissing(blobs, rows)
      if (added < rows.length) {
        yield* records.update(
          blobs,
          Where.and<BlobRow>(
            Where.isIn("hash", hashes),
            Where.lt("usedAt", toTimestamp(millis - renewalMillis))
          ),
          { usedAt: toTimestamp(millis) }
        )
      }
      return hashes
    }),

    /**
     * Updates `usedAt` of the blob at a hash as `put` does. Returns 1, or 0 if it does not exist. Call it in the transaction
     * that stores a reference to the blob.
     */
    renew: Effect.fnUntraced(function* (hash: BlobHash): Effect.fn.Return<number, StorageUnavailable> {
      const [row] = yield* records.find(blobs, { select: ["usedAt"], where: Where.eq("hash", hash) })
      if (row === undefined) return 0
      const millis = yield* Clock.currentTimeMillis
      if (row.usedAt >= toTimestamp(millis - renewalMillis)) return 1
      // 0 if garbage collection has deleted the blob since.
      return yield* records.update(blobs, Where.eq<BlobRow, "hash">("hash", hash), {
        usedAt: toTimestamp(millis)
      })
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
