/**
 * Bytes by their hash: what content is made of. Bytes that are put twice are stored once, and what is at a hash never
 * changes, so whoever has read it may keep it for ever.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { type Brand, Clock, Context, Effect, Layer, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { LRUCache } from "lru-cache"
import { toTimestamp } from "../time.ts"
import { Records } from "./Records.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import * as Table from "./Table.ts"
import * as Where from "./Where.ts"

/** The SHA-256 of bytes, as 43 characters of URL-safe base 64. */
export const BlobHash = Schema.String.pipe(Schema.brand("BlobHash"))
export type BlobHash = string & Brand.Brand<"BlobHash">

const blobColumns = {
  hash: Table.text<BlobHash>(),
  bytes: Table.bytes(),
  usedAt: Table.text()
}
interface BlobRow extends Table.RowOf<typeof blobColumns> {}

/**
 * Where bytes are kept. `usedAt` is when they were put last, within half a day: what was put a while ago, and is
 * reached from nowhere, can go.
 */
export const blobs: Table.Table<"blobs", BlobRow, "hash"> = Table.make("blobs", {
  columns: blobColumns,
  key: ["hash"]
})

/** How old `usedAt` may grow before it is set anew: half a day. */
const renewalMillis = 12 * 60 * 60 * 1000

/** The hash of bytes. */
export const hashOf = (bytes: Uint8Array): BlobHash => BlobHash.make(Base64Url.encode(sha256(bytes)))

/** Values made of blobs, each made once: what is at a hash never changes. */
export interface BlobReader<A> {
  /** The value at a hash where it is in memory, without asking the store. */
  readonly known: (hash: BlobHash) => A | undefined
  /** Keeps a value that was made just now, with the bytes it is of: whoever wrote it is likely to read it. */
  readonly keep: (hash: BlobHash, value: A, bytes: Uint8Array) => void
  /** The value at a hash. That there is none is a defect: whoever holds a hash holds what keeps its bytes. */
  readonly get: (hash: BlobHash) => Effect.Effect<A, StorageUnavailable>
  /** The values at the hashes, in their order, by one look-up. */
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
     * Stores bytes, each where it is not there already, and answers their hashes. It belongs into the transaction of
     * what names them.
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

    /** Blobs that were put last before a moment, in the order of their hashes, from behind one on. */
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

    /** Removes blobs, but for those that were put since a moment; answers how many. */
    remove: (hashes: ReadonlyArray<BlobHash>, moment: string): Effect.Effect<number, StorageUnavailable> =>
      records.remove(blobs, Where.and<BlobRow>(Where.isIn("hash", hashes), Where.lt("usedAt", moment))),

    /** The bytes at a hash, or `undefined`. */
    find: (hash: BlobHash): Effect.Effect<Uint8Array | undefined, StorageUnavailable> =>
      Effect.map(find([hash]), (found) => found.get(hash)),

    /** Reads blobs as values, and keeps the ones that were read last: of `maximumBytes` at most. */
    reader: <A extends {}>(decode: (bytes: Uint8Array) => A, maximumBytes: number): BlobReader<A> => {
      const kept = new LRUCache<BlobHash, A>({ maxSize: maximumBytes, maxEntrySize: maximumBytes >> 3 })
      const keep = (hash: BlobHash, value: A, bytes: Uint8Array): void => {
        kept.set(hash, value, { size: bytes.length + 1 })
      }
      const getMany = Effect.fnUntraced(function* (hashes: ReadonlyArray<BlobHash>) {
        // What is known is taken at once: what comes from the store may put it out of memory.
        const all = new Map<BlobHash, A>()
        const missing = new Set<BlobHash>()
        for (const hash of hashes) {
          const value = kept.get(hash)
          if (value === undefined) missing.add(hash)
          else all.set(hash, value)
        }
        for (const [hash, bytes] of yield* find([...missing])) {
          const value = decode(bytes)
          all.set(hash, value)
          keep(hash, value, bytes)
        }
        const values: Array<A> = []
        for (const hash of hashes) {
          const value = all.get(hash)
          if (value === undefined) return yield* Effect.die(new Error(`There are no bytes at ${hash}.`))
          values.push(value)
        }
        return values
      })
      return {
        known: (hash) => kept.get(hash),
        keep,
        get: (hash) => {
          const value = kept.get(hash)
          return value === undefined
            ? Effect.map(getMany([hash]), (values) => values[0]!)
            : Effect.succeed(value)
        },
        getMany
      }
    }
  }
})

/** The methods of {@link Blobs}. */
export interface BlobsService extends Effect.Success<typeof makeBlobs> {}

/** See the module's comment. */
export class Blobs extends Context.Service<Blobs, BlobsService>()("@lectern/core/Blobs") {
  static readonly layer: Layer.Layer<Blobs, never, Records> = Layer.effect(Blobs, makeBlobs)
}
