/** Stores encoded blobs, and verifies them with their dictionaries before the transaction ends. */
import { Effect } from "effect"
import { toTimestamp } from "../time.ts"
import { type BlobHash, type BlobRow, blobs, renewalMillis } from "./Blobs.ts"
import type { BlobRenewal } from "./blobRenewal.ts"
import type { Dictionaries } from "./dictionaries.ts"
import type { Records } from "./Records.ts"
import { StorageUnavailable } from "./StorageError.ts"
import * as Where from "./Where.ts"

/** The error if a dictionary was deleted since it was cached. The repeated command reads it again. */
const lostBlobs = new StorageUnavailable({
  reason: "Contention",
  detail: "An earlier version of the content was deleted at the same time. Repeat the request."
})

/**
 * Creates the function that stores blobs whose `usedAt` is `millis`, with their decoded bytes in the same order. Blobs that exist
 * are renewed.
 */
export const makeBlobWrites = (
  records: Records["Service"],
  dictionaries: Dictionaries,
  { usedRows, renewAll, renewExisting }: Pick<BlobRenewal, "usedRows" | "renewAll" | "renewExisting">
) => {
  /** Stores the blobs again that their only holders have deleted since they were found. */
  const restoreDeleted = Effect.fnUntraced(function* (rows: ReadonlyArray<BlobRow>) {
    const found = new Set((yield* usedRows.find(rows.map(({ hash }) => hash))).map(({ hash }) => hash))
    yield* records.insertMissing(
      blobs,
      rows.filter(({ hash }) => !found.has(hash))
    )
  })

  /** Remembers blobs with their bytes. Blobs that were stored with another dictionary before are forgotten. */
  const rememberAll = (
    rows: ReadonlyArray<BlobRow>,
    all: ReadonlyArray<Uint8Array>,
    storedBases?: ReadonlyMap<BlobHash, BlobHash | null>
  ): void => {
    for (const [index, row] of rows.entries()) {
      const isAsEncoded = storedBases === undefined || storedBases.get(row.hash) === row.base
      if (isAsEncoded) dictionaries.remember(row, all[index]!)
      else dictionaries.forget([row.hash])
    }
  }

  /**
   * Verifies blobs that are stored now, before the transaction ends: renews the existing ones, and the dictionaries of the others.
   * Blobs with the dictionary of their encoding are remembered with their bytes. Fails with `StorageUnavailable` if a dictionary was deleted.
   */
  const verifyStored = Effect.fnUntraced(function* (
    rows: ReadonlyArray<BlobRow>,
    all: ReadonlyArray<Uint8Array>,
    millis: number
  ): Effect.fn.Return<void, StorageUnavailable> {
    const isInTransaction = yield* records.isInTransaction
    const used = new Map(rows.map(({ hash, usedAt }) => [hash, usedAt]))
    const bases = new Set(rows.flatMap(({ base }) => (base === null || used.has(base) ? [] : [base])))
    const verify = Effect.fnUntraced(function* (
      found: ReadonlyArray<Pick<BlobRow, "hash" | "base" | "usedAt">>
    ) {
      const existing = new Map(found.map(({ hash, usedAt }) => [hash, usedAt]))
      const storedBases = new Map(found.map(({ hash, base }) => [hash, base]))
      rememberAll(rows, all, storedBases)
      const lost = [...bases].filter((hash) => !existing.has(hash))
      if (lost.length > 0) {
        dictionaries.forget([...lost, ...used.keys()])
        return yield* lostBlobs
      }
      const oldest = toTimestamp(millis - renewalMillis)
      const renewed = [...bases].filter((hash) => existing.get(hash)! < oldest)
      if (renewed.length > 0) yield* renewAll(renewed, millis)
      const repeated = [...used].flatMap(([hash, usedAt]) => (existing.get(hash) === usedAt ? [] : [hash]))
      if (repeated.length === 0) return
      yield* renewExisting(repeated, millis)
      // Within a transaction, no holder can delete them.
      if (!isInTransaction) yield* restoreDeleted(rows)
    })
    yield* records.findBeforeEnd(
      blobs,
      { select: ["hash", "base", "usedAt"], where: Where.isIn("hash", [...used.keys(), ...bases]) },
      verify
    )
  })

  return Effect.fnUntraced(function* (
    rows: ReadonlyArray<BlobRow>,
    all: ReadonlyArray<Uint8Array>,
    millis: number
  ): Effect.fn.Return<void, StorageUnavailable> {
    // A store that executes statements later counts nothing, and verifies in the same round trip.
    if (records.findsBeforeEnd) {
      yield* records.insertMissingUncounted(blobs, rows)
      return yield* verifyStored(rows, all, millis)
    }
    const areNew = (yield* records.insertMissing(blobs, rows)) === rows.length
    if (areNew && rows.every(({ base }) => base === null)) rememberAll(rows, all)
    else yield* verifyStored(rows, all, millis)
  })
}
