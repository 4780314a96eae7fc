/** The errors of storage adapters. Adapters translate their drivers' errors to these. */
import { Schema } from "effect"

/**
 * The store could not complete the operation now. Trying again later may succeed.
 *
 * - `Unreachable`: the database does not respond, or responds with an error that no caller causes.
 * - `Contention`: the transaction conflicted with others and its retries are exhausted, or another process held a lock
 *   for longer than the timeout.
 * - `Overloaded`: no connection to the database became free in time.
 * - `DeadlineExceeded`: a statement or a request took longer than its deadline.
 * - `ReadOnly`: the database accepts no writes: it is read-only or a standby, or its disk is full.
 * - `Corrupted`: the file of the database is corrupt. Run the doctor; trying again does not succeed.
 * - `FileReplaced`: the file of the database was replaced, moved or deleted while it was open.
 * - `ConversionFailed`: a thread that converts content ended without a result.
 * - `SchemaTooNew`: a newer version of Lectern migrated the database while this version was running.
 */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()(
  "StorageUnavailable",
  {
    reason: Schema.Literals([
      "Unreachable",
      "Contention",
      "Overloaded",
      "DeadlineExceeded",
      "ReadOnly",
      "Corrupted",
      "FileReplaced",
      "ConversionFailed",
      "SchemaTooNew"
    ]),
    /** The cause in words, for the log. Responses do not contain it. */
    detail: Schema.String,
    cause: Schema.optional(Schema.Defect())
  },
  { httpApiStatus: 503 }
) {}

/** A row has the same key, or the same values of a unique set of columns, as another row. */
export class UniqueViolation extends Schema.TaggedError<UniqueViolation>()("UniqueViolation", {
  /** The name of the table. */
  table: Schema.String
}) {}

/** A row refers to a missing row, or a deleted row is still referred to. */
export class ReferenceViolation extends Schema.TaggedError<ReferenceViolation>()("ReferenceViolation", {
  /** The name of the table that was written to. */
  table: Schema.String
}) {}

/**
 * Tables exist, and differ from their declarations: they were created by an earlier declaration, or for something else.
 * Change them in the database, or change the declarations.
 */
export class TableMismatch extends Schema.TaggedError<TableMismatch>()("TableMismatch", {
  message: Schema.String,
  /** The differences, one sentence each. */
  differences: Schema.Array(Schema.String)
}) {
  /** The error for these differences. */
  static readonly of = (differences: ReadonlyArray<string>): TableMismatch =>
    new TableMismatch({
      message: `Tables differ from their declarations: ${differences.join(" ")}`,
      differences
    })
}

/** A transaction conflicts with a concurrent one and must be retried from its start. `Records.transaction` does so. */
export class StorageConflict extends Schema.TaggedError<StorageConflict>()("StorageConflict", {}) {}
