/**
 * A backup consists of the rows of every table except blobs, and the bytes of the blobs. A source is a store, or files
 * that were written from one. Rows and bytes are passed on in batches, so that memory does not grow with the workspace.
 */

import type { OrganizationId } from "@lectern/model/organizations"
import { type Effect, Schema } from "effect"
import type { BlobHash } from "../storage/Blobs.ts"
import type { PlainRow, ReadError } from "../storage/RecordsAdapter.ts"
import type * as Table from "../storage/Table.ts"

/**
 * A backup cannot be written, read, or loaded into a store. Nothing was changed, except for blobs that nothing refers to,
 * which the next attempt skips.
 *
 * - `TargetNotEmpty`: the target of a workspace has rows.
 * - `Clash`: rows of the organization exist in the target, or unique values of them do.
 * - `SchemaMismatch`: the tables of the target differ from the tables of the backup.
 * - `Corrupt`: the rows or the bytes differ from their digests, or a file cannot be decoded.
 * - `NotFound`: the organization does not exist.
 * - `WrongSecret`: the target has another secret than the workspace of the backup.
 */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", {
  reason: Schema.Literals([
    "TargetNotEmpty",
    "Clash",
    "SchemaMismatch",
    "Corrupt",
    "NotFound",
    "WrongSecret"
  ]),
  message: Schema.String
}) {}

/** The bytes at a hash. */
export interface BlobBytes {
  /** The SHA-256 of the bytes. */
  readonly hash: BlobHash
  /** The bytes. */
  readonly bytes: Uint8Array
}

/** Identifies the secret of a workspace, without disclosing it. */
export interface BackupSecret {
  /** See `secretFingerprint`. */
  readonly fingerprint: string
  /** Whether it is a row of the workspace, and not a setting of its servers. */
  readonly isStored: boolean
}

/** The errors of reading a backup. */
export type SourceError = ReadError | BackupError

/** The contents of a backup. */
export interface BackupSource {
  /** The version of the schema: the number of its migrations. 0 if the store has no migrations. */
  readonly schema: number
  /** The organization that the backup is limited to; undefined for the whole workspace. */
  readonly organization: OrganizationId | undefined
  /** The secret that the workspace encrypts and signs with; null if it does not have a secret yet. */
  readonly secret: BackupSecret | null
  /** The tables in an order in which their rows can be inserted, except for `blobs`. */
  readonly tables: ReadonlyArray<Table.AnyTable>
  /** Passes the rows of a table on, in the order of its key. */
  readonly eachRows: <E>(
    table: Table.AnyTable,
    use: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<unknown, E>
  ) => Effect.Effect<void, SourceError | E>
  /** Passes the hashes of all blobs on, in ascending order. */
  readonly eachHashes: <E>(
    use: (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<unknown, E>
  ) => Effect.Effect<void, SourceError | E>
  /** Passes the bytes of the blobs on that `select` returns, which receives hashes in batches. Verifies their hashes. */
  readonly eachBlobs: <E>(
    select: (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<ReadonlyArray<BlobHash>, E>,
    use: (blobs: ReadonlyArray<BlobBytes>) => Effect.Effect<unknown, E>
  ) => Effect.Effect<void, SourceError | E>
}

/** Progress of reading or writing a backup. */
export interface BackupProgress {
  /** The table, or `blobs`. */
  readonly what: string
  /** The number of rows, or of blobs, so far. */
  readonly count: number
}

/** Receives progress. */
export type OnBackupProgress = (progress: BackupProgress) => Effect.Effect<void>
