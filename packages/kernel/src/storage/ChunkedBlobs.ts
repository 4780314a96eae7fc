/**
 * Content-addressed storage of files of any size. A file of at most one chunk is one blob. A larger one is a row that lists
 * the blobs of its chunks, so that neither writing nor reading it holds more than one chunk in memory.
 */

import { Clock, Context, Effect, Exit, Layer, Stream } from "effect"
import { Base64Url } from "effect/encoding"
import { makeSha256 } from "../sha256.ts"
import { toTimestamp } from "../time.ts"
import { BlobHash, Blobs, hashOf, renewalMillis } from "./Blobs.ts"
import { Records } from "./Records.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import * as Table from "./Table.ts"
import { hold, release, temporaryUse, type UsedRows, unusedBefore } from "./temporaryUse.ts"
import * as Where from "./Where.ts"

/** The size of all chunks of a file except for the last, in bytes. */
export const chunkSize: number = 1024 * 1024

const chunkedBlobColumns = {
  hash: Table.text<BlobHash>(),
  size: Table.integer(),
  chunkSize: Table.integer(),
  chunks: Table.json<ReadonlyArray<BlobHash>>(),
  usedAt: Table.text()
}
/** A file of several chunks. */
export interface ChunkedBlobRow extends Table.RowOf<typeof chunkedBlobColumns> {}

/**
 * Files of several chunks. `hash` is the SHA-256 of the whole file, and `usedAt` is when a reference to it was last written,
 * to within half a day. Of a file that is uploaded but not used yet, it has the holders: see `temporaryUse.ts`.
 */
export const chunkedBlobs: Table.Table<"chunkedBlobs", ChunkedBlobRow, "hash"> = Table.make("chunkedBlobs", {
  columns: chunkedBlobColumns,
  key: ["hash"]
})

/** Bytes whose chunks are stored. */
export interface StoredBytes {
  /** The SHA-256 of all bytes. */
  readonly hash: BlobHash
  /** The number of bytes. */
  readonly size: number
  /** The hashes of the chunks, at least one. */
  readonly chunks: ReadonlyArray<BlobHash>
}

/** The number of chunks that a transaction deletes. */
const chunksPerTransaction = 100

/** The parts of stored bytes: the hash is undefined if they are not readable by it. */
export interface HeldBytes {
  /** The hash of the whole. */
  readonly hash: BlobHash | undefined
  /** The hashes of the chunks. */
  readonly chunks: ReadonlyArray<BlobHash>
}

/** Holds temporary bytes. */
export interface Holder {
  /** The id of the upload. */
  readonly id: string
  /** Returns the bytes that the holder uses and that must not be deleted. None by default. */
  readonly inUse?: Effect.Effect<HeldBytes | undefined, StorageUnavailable>
  /** Receives the hash of each chunk after it is stored, in order. */
  readonly onChunk?: (chunk: BlobHash) => void
}

/** Deletes the temporary bytes of a holder. */
export type ReleaseBytes = (
  holder: string,
  bytes: HeldBytes,
  inUse: Effect.Effect<HeldBytes | undefined, StorageUnavailable> | undefined
) => Effect.Effect<void, StorageUnavailable>

/** Stored bytes that can be read in parts. */
export interface ReadableBytes {
  /** The number of bytes. */
  readonly size: number
  /** Streams the bytes from `start` up to and without `end`, and reads only the chunks that contain them. */
  readonly read: (start: number, end: number) => Stream.Stream<Uint8Array, StorageUnavailable>
}

/** Concatenates parts. */
const concatenate = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  if (parts.length === 1) return parts[0]!
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Divides a stream into chunks of exactly `size` bytes, except for the last. An empty stream is one empty chunk. */
const toChunks = <E>(
  stream: Stream.Stream<Uint8Array, E>,
  size: number,
  onChunk: (bytes: Uint8Array) => Effect.Effect<void, StorageUnavailable>
): Effect.Effect<void, E | StorageUnavailable> =>
  Effect.suspend(() => {
    let parts: Array<Uint8Array> = []
    let length = 0
    let isEmpty = true
    const flush = Effect.suspend(() => {
      const chunk = concatenate(parts)
      parts = []
      length = 0
      isEmpty = false
      return onChunk(chunk)
    })
    const add = Effect.fnUntraced(function* (bytes: Uint8Array) {
      let at = 0
      while (at < bytes.length) {
        const part = bytes.subarray(at, at + size - length)
        parts.push(part)
        length += part.length
        at += part.length
        if (length === size) yield* flush
      }
    })
    return Effect.andThen(
      Stream.runForEach(stream, add),
      Effect.suspend(() => (length > 0 || isEmpty ? flush : Effect.void))
    )
  })

const makeChunkedBlobs = Effect.fnUntraced(function* (chunkSize: number) {
  const records = yield* Records
  const store = yield* Blobs

  const renew = Effect.fnUntraced(function* (hash: BlobHash, millis: number) {
    const set = { usedAt: toTimestamp(millis) }
    const before = toTimestamp(millis - renewalMillis)
    yield* records.update(
      chunkedBlobs,
      Where.and<ChunkedBlobRow>(Where.eq("hash", hash), Where.lt("usedAt", before)),
      set
    )
  })

  const usedRows: UsedRows = {
    find: (hashes) =>
      records.find(chunkedBlobs, {
        select: ["hash", "usedAt"],
        where: Where.isIn<ChunkedBlobRow, "hash">("hash", hashes)
      }),
    replace: (hashes, before, usedAt) =>
      records.update(
        chunkedBlobs,
        Where.and<ChunkedBlobRow>(Where.isIn("hash", hashes), Where.eq("usedAt", before)),
        { usedAt }
      ),
    remove: (hashes, before) =>
      records.remove(
        chunkedBlobs,
        Where.and<ChunkedBlobRow>(Where.isIn("hash", hashes), Where.eq("usedAt", before))
      )
  }

  const rowOf = ({ hash, size, chunks }: StoredBytes, usedAt: string): ChunkedBlobRow => ({
    hash,
    size,
    chunkSize,
    chunks,
    usedAt
  })

  const releaseBytes: ReleaseBytes = Effect.fnUntraced(function* (holder, { hash, chunks }, inUse) {
    const batches = Math.max(1, Math.ceil(chunks.length / chunksPerTransaction))
    for (let index = 0; index < batches; index++) {
      const batch = chunks.slice(index * chunksPerTransaction, (index + 1) * chunksPerTransaction)
      yield* records.transaction(
        Effect.gen(function* () {
          const used = inUse === undefined ? undefined : yield* inUse
          if (hash !== undefined && used?.hash !== hash) yield* release(usedRows, [hash], holder)
          const kept = new Set(used?.chunks)
          yield* store.release(
            batch.filter((chunk) => !kept.has(chunk)),
            holder
          )
        })
      )
    }
  })

  /** Deletes temporary bytes. If it fails, garbage collection deletes them later. */
  const discard = ({ id, inUse }: Holder, chunks: ReadonlyArray<BlobHash>): Effect.Effect<void> =>
    releaseBytes(id, { hash: undefined, chunks }, inUse).pipe(
      Effect.catchCause((cause) =>
        Effect.logWarning("The bytes of a rejected upload are deleted by garbage collection.", cause)
      )
    )

  /** Returns the bytes at a hash, or `undefined`. Streams die if a chunk was deleted in the meantime. */
  const open = Effect.fnUntraced(function* (
    hash: BlobHash
  ): Effect.fn.Return<ReadableBytes | undefined, StorageUnavailable> {
    const whole = yield* store.find(hash)
    if (whole !== undefined) {
      return {
        size: whole.length,
        read: (start, end) => (start < end ? Stream.make(whole.subarray(start, end)) : Stream.empty)
      }
    }
    const row = yield* records.get(chunkedBlobs, { hash })
    if (row === undefined) return undefined
    const readChunk = (index: number) =>
      Effect.flatMap(store.find(row.chunks[index]!), (bytes) =>
        bytes === undefined
          ? Effect.die(new Error(`The chunk ${index} of the file ${hash} is missing.`))
          : Effect.succeed(bytes)
      )
    return {
      size: row.size,
      read: (start, end) =>
        start >= end
          ? Stream.empty
          : Stream.range(Math.floor(start / row.chunkSize), Math.floor((end - 1) / row.chunkSize)).pipe(
              Stream.rechunk(1),
              Stream.mapEffect((index) => {
                const offset = index * row.chunkSize
                return Effect.map(readChunk(index), (bytes) =>
                  bytes.subarray(Math.max(0, start - offset), end - offset)
                )
              })
            )
    }
  })

  return {
    /**
     * Stores the chunks of a stream as they arrive, each in its own statement, and computes the hash of the whole. Run it
     * outside of a transaction. The bytes are readable after {@link link}; until then, garbage collection retains the chunks
     * for at least half a day. `onFirstChunk` receives the first chunk before it is stored. With a `holder`, the chunks are
     * temporary: they are deleted if the stream fails or is interrupted, and by {@link discard} and {@link release}.
     */
    write: <E>(
      stream: Stream.Stream<Uint8Array, E>,
      onFirstChunk: (bytes: Uint8Array) => void = () => {},
      holder?: Holder
    ): Effect.Effect<StoredBytes, E | StorageUnavailable> =>
      Effect.suspend(() => {
        const digest = makeSha256()
        const chunks: Array<BlobHash> = []
        let size = 0
        const put = (bytes: Uint8Array): Effect.Effect<void, StorageUnavailable> => {
          // Before it is stored, so that an interruption while it is stored deletes it as well.
          chunks.push(hashOf(bytes))
          return holder === undefined
            ? Effect.asVoid(store.put([bytes]))
            : Effect.map(store.putTemporary(bytes, holder.id), (chunk) => holder.onChunk?.(chunk))
        }
        const written = toChunks(stream, chunkSize, (bytes) =>
          Effect.suspend(() => {
            if (chunks.length === 0) onFirstChunk(bytes)
            digest.add(bytes)
            size += bytes.length
            return put(bytes)
          })
        ).pipe(
          Effect.map(
            (): StoredBytes => ({ hash: BlobHash.make(Base64Url.encode(digest.result())), size, chunks })
          )
        )
        return holder === undefined
          ? written
          : Effect.onExit(written, (exit) =>
              Exit.isFailure(exit) ? Effect.suspend(() => discard(holder, chunks)) : Effect.void
            )
      }),

    /**
     * Makes stored bytes readable by their hash, and temporary ones permanent. Fails with `StorageUnavailable` if a chunk was
     * deleted. Call it in the transaction that stores a reference to them.
     */
    link: Effect.fnUntraced(function* (stored: StoredBytes): Effect.fn.Return<void, StorageUnavailable> {
      const { hash, chunks } = stored
      if (chunks.length === 1) return yield* store.keep(chunks)
      // Files that were stored as one blob before chunks existed.
      if ((yield* store.renew(hash)) > 0) return
      yield* store.keep(chunks)
      const millis = yield* Clock.currentTimeMillis
      const row = rowOf(stored, toTimestamp(millis))
      const insert = Effect.gen(function* () {
        if ((yield* records.insertMissing(chunkedBlobs, [row])) === 0) yield* renew(hash, millis)
      })
      // In a transaction, no holder can delete the row before it is renewed.
      yield* (yield* records.isInTransaction) ? insert : records.transaction(insert)
    }),

    /**
     * Makes temporary bytes readable by their hash until their holder releases them. Fails with `StorageUnavailable` if a chunk
     * was deleted. Call it in the transaction that stores the temporary reference.
     */
    linkTemporary: Effect.fnUntraced(function* (
      stored: StoredBytes,
      holder: string
    ): Effect.fn.Return<void, StorageUnavailable> {
      yield* store.requireAll(stored.chunks)
      if (stored.chunks.length === 1) return
      const row = rowOf(stored, temporaryUse(yield* Clock.currentTimeMillis, [holder]))
      if ((yield* records.insertMissing(chunkedBlobs, [row])) === 0) {
        yield* hold(usedRows, stored.hash, holder)
      }
    }),

    /** Makes temporary bytes permanent, by their hash. Call it in the transaction that stores a reference to them. */
    keep: Effect.fnUntraced(function* (hash: BlobHash): Effect.fn.Return<void, StorageUnavailable> {
      const row = yield* records.get(chunkedBlobs, { hash })
      if (row === undefined) return yield* store.keep([hash])
      yield* store.keep(row.chunks)
      yield* renew(hash, yield* Clock.currentTimeMillis)
    }),

    /** Returns all bytes of a chunk, or of a file of one chunk, by its hash; `undefined` if it does not exist. */
    readAll: (hash: BlobHash): Effect.Effect<Uint8Array | undefined, StorageUnavailable> => store.find(hash),

    /** Returns the chunks of a file, by its hash: the hash itself for a file of one chunk. */
    chunksOf: (hash: BlobHash): Effect.Effect<ReadonlyArray<BlobHash>, StorageUnavailable> =>
      Effect.map(records.get(chunkedBlobs, { hash }, ["chunks"]), (row) => row?.chunks ?? [hash]),

    /**
     * Deletes temporary bytes that have no other holder. `inUse` returns the bytes that the holder still uses, and runs in the
     * transaction of the deletion.
     */
    release: releaseBytes,

    /** Deletes temporary bytes that were not linked. Logs a failure, after which garbage collection deletes them. */
    discard,

    open,

    /** Returns all bytes of a file, by its hash; `undefined` if it does not exist. Dies if a chunk was deleted in the meantime. */
    readWhole: Effect.fnUntraced(function* (
      hash: BlobHash
    ): Effect.fn.Return<Uint8Array | undefined, StorageUnavailable> {
      const file = yield* open(hash)
      if (file === undefined) return undefined
      const whole = new Uint8Array(file.size)
      let at = 0
      yield* Stream.runForEach(file.read(0, file.size), (bytes) =>
        Effect.sync(() => {
          whole.set(bytes, at)
          at += bytes.length
        })
      )
      return whole
    }),

    /** Returns at most `limit` files of several chunks, by ascending hash, starting after `after`. */
    list: (
      after: BlobHash | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<ChunkedBlobRow>, StorageUnavailable> =>
      records.find(chunkedBlobs, { limit, ...(after === undefined ? {} : { after: [after] }) }),

    /** Deletes the files of several chunks that were last linked before `moment`, and returns their number. */
    remove: (hashes: ReadonlyArray<BlobHash>, moment: string): Effect.Effect<number, StorageUnavailable> =>
      records.remove(
        chunkedBlobs,
        Where.and<ChunkedBlobRow>(Where.isIn("hash", hashes), unusedBefore<ChunkedBlobRow>(moment))
      )
  }
})

/** The methods of {@link ChunkedBlobs}. */
export interface ChunkedBlobsService extends Effect.Success<ReturnType<typeof makeChunkedBlobs>> {}

/** Stores and reads bytes of any size with flat memory. */
export class ChunkedBlobs extends Context.Service<ChunkedBlobs, ChunkedBlobsService>()(
  "@lectern/core/ChunkedBlobs"
) {
  /** Provides the service with chunks of `chunkSize` bytes. Files with other chunks remain readable. */
  static readonly layerOf = (chunkSize: number): Layer.Layer<ChunkedBlobs, never, Records | Blobs> =>
    Layer.effect(ChunkedBlobs, makeChunkedBlobs(chunkSize))

  /** Provides the service with chunks of 1 MiB. */
  static readonly layer: Layer.Layer<ChunkedBlobs, never, Records | Blobs> = ChunkedBlobs.layerOf(chunkSize)
}
