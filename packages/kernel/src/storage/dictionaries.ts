/** Finds the dictionaries for blobs that replace an earlier version. */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { type BlobHash, type BlobRow, blobs } from "./Blobs.ts"
import { type BlobHistory, decodeBlobs, encodedColumns } from "./blobEncoding.ts"
import { cacheShare } from "./CacheSize.ts"
import type { Records } from "./Records.ts"
import type { Compression } from "./RecordsAdapter.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import * as Where from "./Where.ts"

/** The maximum size of the cache of dictionaries, in bytes. */
const dictionaryCacheBytes = 8 * 1024 * 1024

/** The maximum size of bytes that are cached when they are stored: most large ones are files, which are not replaced soon. */
const maximumRememberedBytes = 256 * 1024

/** The maximum number of blobs whose dictionaries are cached. */
const knownVersionEntries = 10_000

type Row = Pick<BlobRow, (typeof encodedColumns)[number]>

/** How a blob is stored. */
interface KnownVersion {
  readonly base: BlobHash | null
  readonly storedBytes: number
}

/** The dictionaries of a version, by their hashes: see `BlobHistory`. */
interface Chain {
  readonly first: BlobHash
  readonly second?: BlobHash
  readonly previousDelta?: number | undefined
}

/** Creates the functions that find the chains of dictionaries of blobs. `known` caches the found rows. */
const makeChains = (records: Records["Service"], known: LRUCache<BlobHash, KnownVersion>) => {
  const note = (row: Row): void => {
    known.set(row.hash, { base: row.base, storedBytes: row.bytes.length })
  }

  /** Returns the known dictionaries of a version: null if its chain cannot be extended, undefined if it is unknown. */
  const chainOf = (hash: BlobHash): Chain | null | undefined => {
    const version = known.get(hash)
    if (version === undefined) return undefined
    if (version.base === null) return { first: hash }
    const base = known.get(version.base)
    if (base === undefined) return undefined
    if (base.base === null) return { first: version.base, second: hash }
    const first = known.get(base.base)
    if (first === undefined) return undefined
    // A chain of three is the result of a race. Its blobs are not extended.
    return first.base === null
      ? { first: base.base, second: version.base, previousDelta: version.storedBytes }
      : null
  }

  /** Returns the rows of blobs and of their dictionaries, usually with one query. */
  const findChains = Effect.fnUntraced(function* (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<ReadonlyMap<BlobHash, Row>, StorageUnavailable> {
    const wanted = new Set<BlobHash>()
    for (const hash of hashes) {
      for (let next: BlobHash | null | undefined = hash; next != null && !wanted.has(next); ) {
        wanted.add(next)
        next = known.get(next)?.base
      }
    }
    const rows = new Map<BlobHash, Row>()
    while (wanted.size > 0) {
      const found: ReadonlyArray<Row> = yield* records.find(blobs, {
        select: encodedColumns,
        where: Where.isIn("hash", [...wanted])
      })
      for (const hash of wanted) known.delete(hash)
      wanted.clear()
      for (const row of found) {
        rows.set(row.hash, row)
        note(row)
      }
      for (const { base } of found) if (base !== null && !rows.has(base)) wanted.add(base)
    }
    return rows
  })

  return { note, chainOf, findChains }
}

/**
 * Creates the functions that find the dictionaries for bytes that replace blobs. The rows of stored blobs are cached, and
 * can have changed: the caller verifies the dictionaries of a delta that it stores.
 */
export const makeDictionaries = Effect.fnUntraced(function* (
  records: Records["Service"],
  compression: Compression | undefined
) {
  /** The decoded bytes of dictionaries. */
  const decoded = new LRUCache<BlobHash, Uint8Array>({
    maxSize: yield* cacheShare(dictionaryCacheBytes),
    sizeCalculation: (bytes) => bytes.length + 1
  })
  /** The blobs that were found or stored last. */
  const known = new LRUCache<BlobHash, KnownVersion>({ max: knownVersionEntries })

  const { note, chainOf, findChains } = makeChains(records, known)

  /** Whether the history of a version needs no query. */
  const isCached = (hash: BlobHash): boolean => {
    const chain = chainOf(hash)
    return (
      chain === null ||
      (chain !== undefined &&
        decoded.has(chain.first) &&
        (chain.second === undefined || decoded.has(chain.second)))
    )
  }

  /** Returns the dictionaries for bytes that replace these blobs, by their hashes. */
  const find = Effect.fnUntraced(function* (
    previous: ReadonlySet<BlobHash>
  ): Effect.fn.Return<ReadonlyMap<BlobHash, BlobHistory>, StorageUnavailable> {
    const missing = [...previous].filter((hash) => !isCached(hash))
    const rows = missing.length === 0 ? new Map<BlobHash, Row>() : yield* findChains(missing)
    const findRows = (hashes: ReadonlyArray<BlobHash>) =>
      Effect.succeed(hashes.flatMap((hash) => rows.get(hash) ?? []))
    /** Returns a dictionary with its bytes. The rows of bytes that are not cached were found. */
    const read = Effect.fnUntraced(function* (hash: BlobHash) {
      const cached = decoded.get(hash)
      if (cached !== undefined) return { hash, bytes: cached }
      const row = rows.get(hash)
      const bytes = row && (yield* decodeBlobs(compression, [row], findRows)).get(hash)
      if (bytes === undefined) return undefined
      decoded.set(hash, bytes)
      return { hash, bytes }
    })
    const histories = new Map<BlobHash, BlobHistory>()
    for (const hash of previous) {
      const chain = chainOf(hash)
      const first = chain == null ? undefined : yield* read(chain.first)
      if (chain == null || first === undefined) continue
      const second = chain.second === undefined ? undefined : yield* read(chain.second)
      histories.set(
        hash,
        second === undefined ? { first } : { first, second, previousDelta: chain.previousDelta }
      )
    }
    return histories
  })

  return {
    find,
    /** Records how blobs are stored that were found. */
    note,
    /** Records a blob that is stored now, so that the next version of it needs no query and is not decoded. */
    remember: (row: Row, bytes: Uint8Array): void => {
      note(row)
      // A blob whose dictionary has a dictionary cannot become one.
      const canBeDictionary = row.base === null || known.get(row.base)?.base === null
      if (canBeDictionary && bytes.length <= maximumRememberedBytes) decoded.set(row.hash, bytes)
    },
    /** Forgets blobs that do not exist. */
    forget: (hashes: Iterable<BlobHash>): void => {
      for (const hash of hashes) known.delete(hash)
    }
  }
})

/** The functions of {@link makeDictionaries}. */
export interface Dictionaries extends Effect.Success<ReturnType<typeof makeDictionaries>> {}
