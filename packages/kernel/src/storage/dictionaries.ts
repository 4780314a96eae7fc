/** Finds the dictionaries for blobs that replace an earlier version. */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { toTimestamp } from "../time.ts"
import { type BlobHash, type BlobRow, blobs, renewalMillis } from "./Blobs.ts"
import { type BlobHistory, decodeBlobs, encodedColumns } from "./blobEncoding.ts"
import { cacheShare } from "./CacheSize.ts"
import type { Records } from "./Records.ts"
import type { Compression } from "./RecordsAdapter.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import * as Where from "./Where.ts"

/** The maximum size of the cache of dictionaries, in bytes. */
const dictionaryCacheBytes = 8 * 1024 * 1024

/** The maximum number of blobs whose dictionaries are cached. */
const knownBaseEntries = 10_000

type Row = Pick<BlobRow, (typeof encodedColumns)[number] | "usedAt">

/**
 * Creates the functions that find the dictionaries for bytes that replace blobs. `renew` updates their `usedAt`: garbage
 * collection that does not find the delta must not delete its dictionaries.
 */
export const makeDictionaries = Effect.fnUntraced(function* (
  records: Records["Service"],
  compression: Compression | undefined,
  renew: (hashes: ReadonlyArray<BlobHash>, millis: number) => Effect.Effect<unknown, StorageUnavailable>
) {
  /** The decoded bytes of dictionaries. */
  const decoded = new LRUCache<BlobHash, Uint8Array>({
    maxSize: yield* cacheShare(dictionaryCacheBytes),
    sizeCalculation: (bytes) => bytes.length + 1
  })
  /** The dictionaries of blobs that were found last. They are verified by a query. */
  const knownBases = new LRUCache<BlobHash, BlobHash>({ max: knownBaseEntries })

  /** Returns the rows of blobs and of their dictionaries, usually with one query. */
  const findChains = Effect.fnUntraced(function* (
    hashes: ReadonlySet<BlobHash>
  ): Effect.fn.Return<ReadonlyMap<BlobHash, Row>, StorageUnavailable> {
    const wanted = new Set<BlobHash>()
    for (const hash of hashes) {
      for (let next: BlobHash | undefined = hash; next !== undefined && !wanted.has(next); ) {
        wanted.add(next)
        next = knownBases.get(next)
      }
    }
    const rows = new Map<BlobHash, Row>()
    while (wanted.size > 0) {
      const found: ReadonlyArray<Row> = yield* records.find(blobs, {
        select: [...encodedColumns, "usedAt"],
        where: Where.isIn("hash", [...wanted])
      })
      wanted.clear()
      for (const row of found) {
        rows.set(row.hash, row)
        if (row.base !== null) knownBases.set(row.hash, row.base)
      }
      for (const { base } of found) if (base !== null && !rows.has(base)) wanted.add(base)
    }
    return rows
  })

  /** Returns the dictionaries for bytes that replace these blobs, by their hashes. */
  const find = Effect.fnUntraced(function* (
    previous: ReadonlySet<BlobHash>,
    millis: number
  ): Effect.fn.Return<ReadonlyMap<BlobHash, BlobHistory>, StorageUnavailable> {
    const rows = yield* findChains(previous)
    const histories = new Map<BlobHash, BlobHistory>()
    const used = new Set<BlobHash>()
    /** Returns the decoded bytes of a dictionary. Its own dictionary is among the rows. */
    const read = Effect.fnUntraced(function* (row: Row) {
      const cached = decoded.get(row.hash)
      if (cached !== undefined) return { hash: row.hash, bytes: cached }
      const find = (hashes: ReadonlyArray<BlobHash>) =>
        Effect.succeed(hashes.flatMap((hash) => rows.get(hash) ?? []))
      const bytes = (yield* decodeBlobs(compression, [row], find)).get(row.hash)
      if (bytes === undefined) return undefined
      decoded.set(row.hash, bytes)
      return { hash: row.hash, bytes }
    })
    for (const hash of previous) {
      const version = rows.get(hash)
      if (version === undefined) continue
      const base = version.base === null ? undefined : rows.get(version.base)
      const isSecond = base !== undefined && base.base === null
      const [firstRow, secondRow] =
        base === undefined ? [version] : isSecond ? [base, version] : [rows.get(base.base!), base]
      const first = firstRow === undefined ? undefined : yield* read(firstRow)
      // A chain of three is the result of a race. Its blobs are not extended.
      if (first === undefined || firstRow?.base !== null) continue
      used.add(first.hash)
      const second = secondRow === undefined ? undefined : yield* read(secondRow)
      if (second === undefined) {
        histories.set(hash, { first })
        continue
      }
      used.add(second.hash)
      const previousDelta = isSecond ? undefined : version.bytes.length
      histories.set(hash, { first, second, previousDelta })
    }
    const oldest = toTimestamp(millis - renewalMillis)
    const old = [...used].filter((hash) => rows.get(hash)!.usedAt < oldest)
    if (old.length > 0) yield* renew(old, millis)
    return histories
  })

  return {
    find,
    /** Records a blob that is stored now and its dictionary, so that the next version of it takes one query and is not decoded. */
    remember: (hash: BlobHash, base: BlobHash, bytes: Uint8Array): void => {
      knownBases.set(hash, base)
      // A blob whose dictionary has a dictionary cannot become one.
      if (!knownBases.has(base)) decoded.set(hash, bytes)
    }
  }
})
