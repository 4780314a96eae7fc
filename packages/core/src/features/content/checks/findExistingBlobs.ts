/** Finds out which blobs and files of several chunks exist. */
import { Effect } from "effect"
import type { DoctorRecords } from "../../../kernel/doctor/Check.ts"
import { rowsWith } from "../../../kernel/doctor/lookups.ts"
import { type BlobHash, blobs, chunkedBlobs, type StorageUnavailable } from "../../../kernel/storage/index.ts"

/** Returns the hashes whose blobs exist. */
export const findExistingBlobs = Effect.fnUntraced(function* (
  store: DoctorRecords,
  hashes: Iterable<BlobHash>
): Effect.fn.Return<ReadonlySet<BlobHash>, StorageUnavailable> {
  const existing = new Set((yield* rowsWith(store, blobs, "hash", hashes, ["hash"])).map(({ hash }) => hash))
  const others = [...hashes].filter((hash) => !existing.has(hash))
  for (const { hash } of yield* rowsWith(store, chunkedBlobs, "hash", others, ["hash"])) existing.add(hash)
  return existing
})
