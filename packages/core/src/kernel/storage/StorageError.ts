/** What can go wrong in a store, whichever it is. Drivers' own errors and messages stay inside their adapters. */
import { Schema } from "effect"

/**
 * The store could not complete the operation now. Trying again later may succeed.
 *
 * - `Unreachable`: the database does not respond, or responds with an error that no caller causes.
 * - `Contention`: the transaction conflicted with others, and its retries are exhausted.
 * - `DeadlineExceeded`: a statement or a request took longer than its deadline.
 * - `ReadOnly`: the database accepts no writes.
 */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()(
  "StorageUnavailable",
  {
    reason: Schema.Literals(["Unreachable", "Contention", "DeadlineExceeded", "ReadOnly"]),
    /** What happened, for the log. Callers do not see it. */
    detail: Schema.String,
    cause: Schema.optional(Schema.Defect())
  },
  { httpApiStatus: 503 }
) {}

/** A row would share its key, or the values of a unique set of columns, with another. */
export class UniqueViolation extends Schema.TaggedError<UniqueViolation>()("UniqueViolation", {
  /** The table's name. */
  table: Schema.String
}) {}

/** A row would refer to one that is not there, or leave others that refer to it. */
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
  /** What differs, a sentence each. */
  differences: Schema.Array(Schema.String)
}) {
  /** The error for these differences. */
  static readonly of = (differences: ReadonlyArray<string>): TableMismatch =>
    new TableMismatch({
      message: `Tables differ from their declarations: ${differences.join(" ")}`,
      differences
    })
}

/** Two transactions met, and this one has to be tried again from its start. `Records` does so by itself. */
export class StorageConflict extends Schema.TaggedError<StorageConflict>()("StorageConflict", {}) {}
