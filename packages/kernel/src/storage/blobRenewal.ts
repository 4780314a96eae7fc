/** Renews blobs that are stored again, so that garbage collection retains them. */
import { Effect } from "effect"
import { toTimestamp } from "../time.ts"
import { type BlobHash, type BlobRow, blobs, renewalMillis } from "./Blobs.ts"
import type { Records } from "./Records.ts"
import type { Compression } from "./RecordsAdapter.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import { timeOfUse, type UsedRows } from "./temporaryUse.ts"
import * as Where from "./Where.ts"

/** Creates the functions that update `usedAt` of blobs. */
export const makeBlobRenewal = (records: Records["Service"], compression: Compression | undefined) => {
  /** Updates `usedAt` of blobs that have been used before the last half day. Returns the number of those. */
  const renewAll = (
    hashes: ReadonlyArray<BlobHash>,
    millis: number
  ): Effect.Effect<number, StorageUnavailable> =>
    records.update(
      blobs,
      Where.and<BlobRow>(Where.isIn("hash", hashes), Where.lt("usedAt", toTimestamp(millis - renewalMillis))),
      { usedAt: timeOfUse(millis) }
    )

  const usedRows: UsedRows = {
    find: (hashes) =>
      records.find(blobs, { select: ["hash", "usedAt"], where: Where.isIn<BlobRow, "hash">("hash", hashes) }),
    replace: (hashes, before, usedAt) =>
      records.update(blobs, Where.and<BlobRow>(Where.isIn("hash", hashes), Where.eq("usedAt", before)), {
        usedAt
      }),
    remove: (hashes, before) =>
      records.remove(blobs, Where.and<BlobRow>(Where.isIn("hash", hashes), Where.eq("usedAt", before)))
  }

  /** Returns the dictionaries of blobs, and their dictionaries. */
  const basesOf = Effect.fnUntraced(function* (
    hashes: ReadonlyArray<BlobHash>
  ): Effect.fn.Return<ReadonlyArray<BlobHash>, StorageUnavailable> {
    const deltas = yield* records.find(blobs, {
      select: ["base"],
      where: Where.and<BlobRow>(Where.isIn("hash", hashes), Where.not(Where.isNull("base")))
    })
    const bases = deltas.flatMap(({ base }) => base ?? [])
    return bases.length === 0 ? [] : [...bases, ...(yield* basesOf(bases))]
  })

  /** Updates `usedAt` of blobs that exist, and of their dictionaries. */
  const renewExisting = Effect.fnUntraced(function* (hashes: ReadonlyArray<BlobHash>, millis: number) {
    const bases = compression === undefined ? [] : yield* basesOf(hashes)
    yield* renewAll([...hashes, ...bases], millis)
  })

  return { renewAll, usedRows, basesOf, renewExisting }
}

/** The functions of {@link makeBlobRenewal}. */
export interface BlobRenewal extends ReturnType<typeof makeBlobRenewal> {}
