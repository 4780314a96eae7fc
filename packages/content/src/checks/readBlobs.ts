/** Reads blobs that may be corrupt. */

import {
  type BlobHash,
  blobs,
  type DoctorRecords,
  decodeBlobs,
  encodedColumns,
  rowsWith,
  type StorageUnavailable
} from "@lectern/kernel"
import { Effect } from "effect"

/** Returns the decoded bytes of the blobs that exist; undefined for one that cannot be decoded. */
export const readBlobs = Effect.fnUntraced(function* (
  records: DoctorRecords,
  hashes: ReadonlyArray<BlobHash>
): Effect.fn.Return<ReadonlyMap<BlobHash, Uint8Array | undefined>, StorageUnavailable> {
  const find = (some: ReadonlyArray<BlobHash>) => rowsWith(records, blobs, "hash", some, encodedColumns)
  const rows = yield* find(hashes)
  const decoded = yield* decodeBlobs(records.compression, rows, find)
  return new Map(rows.map(({ hash }) => [hash, decoded.get(hash)]))
})
