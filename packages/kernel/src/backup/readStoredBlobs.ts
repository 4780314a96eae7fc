/** Reads the bytes of blobs from an adapter, of this schema or of an earlier one. */

import { Effect } from "effect"
import { type BlobHash, blobs } from "../storage/Blobs.ts"
import { decodeBlobs, encodedColumns, type StoredBlob } from "../storage/blobEncoding.ts"
import type { ReadError, RecordsAdapter } from "../storage/RecordsAdapter.ts"
import type * as Table from "../storage/Table.ts"

/** The first schema whose blobs can be compressed. A workspace of an earlier one is restored with its own schema. */
export const firstEncodedSchema = 21

const { encoding: _encoding, base: _base, ...plainColumns } = blobs.columns

/** The table of blobs before {@link firstEncodedSchema}. */
export const plainBlobs: Table.AnyTable = { ...blobs, columns: plainColumns }

/**
 * Returns the decoded bytes of the blobs that exist and can be decoded. `table` is the table of blobs as the schema of the store
 * declares it: before {@link firstEncodedSchema}, all blobs are plain.
 */
export const readStoredBlobs = (
  adapter: RecordsAdapter["Service"],
  table: Table.AnyTable,
  hashes: ReadonlyArray<BlobHash>
): Effect.Effect<ReadonlyMap<BlobHash, Uint8Array>, ReadError> => {
  const find = (some: ReadonlyArray<BlobHash>) =>
    Effect.map(
      adapter.find(table, {
        where: { op: "in", column: "hash", values: some },
        orderBy: [],
        direction: "asc",
        select: encodedColumns.filter((name) => name in table.columns)
      }),
      // The adapter returns rows of the table without their type.
      (rows) => rows as ReadonlyArray<unknown> as ReadonlyArray<StoredBlob>
    )
  return Effect.flatMap(find(hashes), (rows) => decodeBlobs(adapter.compression, rows, find))
}
