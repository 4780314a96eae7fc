/** Finds out which blobs and files of several chunks exist. */

import {
  type BlobHash,
  blobs,
  chunkedBlobs,
  type DoctorRecords,
  rowsWith,
  type StorageUnavailable
} from "@lectern/kernel"
import { Effect } from "effect"

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
