/**
 * Content-addressed storage of bytes, which all content consists of. Equal bytes are stored once, and the bytes at a
 * hash never change, so that they are cached without invalidation.
 */

import { type Brand, Clock, Context, Effect, Layer, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { LRUCache } from "lru-cache"
import { sha256 } from "../sha256.ts"
import { toTimestamp } from "../time.ts"
import {
  BlobCompression,
  type BlobEncoding,
  type BlobHistory,
  decodeBlobs,
  encodeBlob,
  encodedColumns,
  maximumCompressedBytes,
  minimumDeltaBytes
} from "./blobEncoding.ts"
import { type BlobReader, makeBlobReader } from "./blobReader.ts"
import { makeBlobRenewal } from "./blobRenewal.ts"
import { makeBlobWrites } from "./blobWrites.ts"
import { makeDictionaries } from "./dictionaries.ts"
import { Records } from "./Records.ts"
import { makeReencoder } from "./reencode.ts"
import { StorageUnavailable } from "./StorageError.ts"
import * as Table from "./Table.ts"
import { hold, holdersOf, release, temporaryUse, timeOfUse, unusedBefore } from "./temporaryUse.ts"
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
/** A row of the table `blobs`. */
export interface BlobRow extends Table.RowOf<typeof blobColumns> {}

/** Bytes to store, and the hash of their earlier version, if their difference to it is stored. */
interface BlobItem {
  readonly hash: BlobHash
  readonly bytes: Uint8Array
  readonly previous: BlobHash | undefined
}

/** The number of blobs that are hashed and compressed between two yields to the event loop. */
const blobsPerTurn = 50

/**
 * Blobs. `usedAt` is when the bytes were last put, to within half a day, as `timeOfUse` returns it: garbage collection deletes
 * blobs that are unreachable and were not put recently. Of bytes that nothing references yet, it has the holders: see `temporaryUse.ts`. `encoding` and `base` state how `bytes` are compressed: see `blobEncoding.ts`.
 * `base` is the hash of a blob that remains as long as blobs that name it, and whose own `base`, if any, has no base.
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

/** The number of blobs per query. */
const blobsPerQuery = 500

/** The maximum number of blobs whose size is cached. */
const knownSizeEntries = 10_000

const makeBlobs = Effect.gen(function* () {
  const records = yield* Records
  const { compression } = records
  const writeCompression = (yield* BlobCompression) ? compression : undefined
  /** The sizes of the blobs that were stored last. */
  const knownSizes = new LRUCache<BlobHash, number>({ max: knownSizeEntries })

  const dictionaries = yield* makeDictionaries(records, compression)

  const findRows = (hashes: ReadonlyArray<BlobHash>) =>
    Effect.tap(
      records.find(blobs, {
        select: encodedColumns,
        where: hashes.length === 1 ? Where.eq("hash", hashes[0]!) : Where.isIn("hash", hashes)
      }),
      (rows) => Effect.sync(() => rows.forEach(dictionaries.note))
    )

  const find = (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.Effect<ReadonlyMap<BlobHash, Uint8Array>, StorageUnavailable> =>
    hashes.length === 0
      ? Effect.succeed(new Map())
      : Effect.flatMap(findRows(hashes), (rows) => decodeBlobs(compression, rows, findRows))

  const requireAll = Effect.fnUntraced(function* (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<void, StorageUnavailable> {
    const all = [...new Set(hashes)]
    if ((yield* records.count(blobs, Where.isIn<BlobRow, "hash">("hash", all))) === all.length) return
    return yield* new StorageUnavailable({
      reason: "Contention",
      detail: "A part of a file was deleted while it was added. Upload the file again."
    })
  })

  const { usedRows, renewAll, renewExisting, basesOf } = makeBlobRenewal(records, compression)
  const store = makeBlobWrites(records, dictionaries, { usedRows, renewAll, renewExisting })

  return {
    /** Whether blobs are stored compressed. */
    compresses: writeCompression !== undefined,

    /**
     * Creates the functions that store existing blobs again: see `reencode.ts`. The blobs of `current` can be used as
     * dictionaries at any time. Dies if blobs are not stored compressed.
     */
    makeReencoder: (current: ReadonlySet<BlobHash>) =>
      writeCompression === undefined
        ? Effect.die(new Error("Blobs are not stored compressed."))
        : makeReencoder(
            records,
            writeCompression,
            (hashes) => Effect.flatMap(Clock.currentTimeMillis, (millis) => renewAll(hashes, millis)),
            current
          ),

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
      const items: Array<BlobItem> = []
      for (const bytes of all) {
        const isDelta = bytes.length >= minimumDeltaBytes && bytes.length <= maximumCompressedBytes
        items.push({ hash: hashOf(bytes), bytes, previous: isDelta ? previous[items.length] : undefined })
        // Other requests run while very many blobs are written.
        if (items.length % blobsPerTurn === 0) yield* Effect.yieldNow
      }
      const versions = new Set(items.flatMap((item) => item.previous ?? []))
      const histories: ReadonlyMap<BlobHash, BlobHistory> =
        writeCompression === undefined || versions.size === 0 ? new Map() : yield* dictionaries.find(versions)
      const rows: Array<BlobRow> = []
      for (const { hash, bytes, previous } of items) {
        const history = previous === undefined ? undefined : histories.get(previous)
        const encoded = encodeBlob(writeCompression, bytes, history)
        rows.push({
          hash,
          bytes: encoded.bytes,
          usedAt: timeOfUse(millis),
          encoding: encoded.encoding ?? null,
          base: encoded.base ?? null
        })
        if (rows.length % blobsPerTurn === 0) yield* Effect.yieldNow
      }
      for (const { hash, bytes } of items) knownSizes.set(hash, bytes.length)
      yield* store(
        rows,
        items.map((item) => item.bytes),
        millis
      )
      return rows.map((row) => row.hash)
    }),

    /**
     * Stores bytes that nothing references yet, and returns their hash. `holder` deletes them with {@link release}, unless
     * {@link keep} or `put` are called with the same bytes. Run it outside of a transaction.
     */
    putTemporary: Effect.fnUntraced(function* (
      bytes: Uint8Array,
      holder: string
    ): Effect.fn.Return<BlobHash, StorageUnavailable> {
      const hash = hashOf(bytes)
      const encoded = encodeBlob(writeCompression, bytes, undefined)
      knownSizes.set(hash, bytes.length)
      for (;;) {
        const millis = yield* Clock.currentTimeMillis
        const row = {
          hash,
          bytes: encoded.bytes,
          usedAt: temporaryUse(millis, [holder]),
          encoding: encoded.encoding ?? null,
          base: null
        }
        if ((yield* records.insertMissing(blobs, [row])) > 0) return hash
        const existing = yield* hold(usedRows, hash, holder)
        if (existing === undefined) continue
        if (holdersOf(existing.usedAt) === undefined) yield* renewExisting([hash], millis)
        return hash
      }
    }),

    /**
     * Makes temporary blobs permanent. Fails with `StorageUnavailable` if one has been deleted. Call it in the transaction
     * that stores references to them.
     */
    keep: Effect.fnUntraced(function* (
      hashes: ReadonlyArray<BlobHash>
    ): Effect.fn.Return<void, StorageUnavailable> {
      const all = [...new Set(hashes)]
      const renewed = yield* renewAll(all, yield* Clock.currentTimeMillis)
      if (renewed < all.length) yield* requireAll(all)
    }),

    /** Fails with `StorageUnavailable` if one of the blobs does not exist. */
    requireAll,

    /** Deletes temporary blobs that have no other holder. Run it in a serializable transaction. */
    release: (hashes: ReadonlyArray<BlobHash>, holder: string): Effect.Effect<void, StorageUnavailable> =>
      release(usedRows, hashes, holder),

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
      if (row.base !== null) yield* renewAll([row.base, ...(yield* basesOf([row.base]))], millis)
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
          where: unusedBefore<BlobRow>(moment),
          limit,
          ...(after === undefined ? {} : { after: [after] })
        }),
        (rows) => rows.map(({ hash }) => hash)
      ),

    /** Deletes the blobs that were last stored before `moment`, and returns their number. */
    remove: (hashes: ReadonlyArray<BlobHash>, moment: string): Effect.Effect<number, StorageUnavailable> =>
      records.remove(blobs, Where.and<BlobRow>(Where.isIn("hash", hashes), unusedBefore<BlobRow>(moment))),

    /** Returns the sizes of blobs in bytes, decoded. Blobs that do not exist are absent. */
    sizes: Effect.fnUntraced(function* (
      hashes: Iterable<BlobHash>
    ): Effect.fn.Return<ReadonlyMap<BlobHash, number>, StorageUnavailable> {
      const found = new Map<BlobHash, number>()
      const missing: Array<BlobHash> = []
      for (const hash of new Set(hashes)) {
        const size = knownSizes.get(hash)
        if (size === undefined) missing.push(hash)
        else found.set(hash, size)
      }
      for (let at = 0; at < missing.length; at += blobsPerQuery) {
        for (const [hash, bytes] of yield* find(missing.slice(at, at + blobsPerQuery)))
          found.set(hash, bytes.length)
      }
      return found
    }),

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
    ): BlobReader<A> => makeBlobReader(find, name, decode, maximumBytes)
  }
})

/** The methods of {@link Blobs}. */
export interface BlobsService extends Effect.Success<typeof makeBlobs> {}

/** Stores bytes by their SHA-256, and reads them through caches of decoded values. */
export class Blobs extends Context.Service<Blobs, BlobsService>()("@lectern/core/Blobs") {
  static readonly layer: Layer.Layer<Blobs, never, Records> = Layer.effect(Blobs, makeBlobs)
}
