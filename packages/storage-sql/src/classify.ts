/**
 * Converts driver errors to the errors of the storage port. The messages of drivers only reach the log, as the cause.
 */
import {
  ReferenceViolation,
  StorageConflict,
  StorageUnavailable,
  UniqueViolation,
  type WriteError
} from "@lectern/kernel"
import { Cause, Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Dialect, ErrorClass } from "./Dialect.ts"

/**
 * The host uses a database that it shares with Lectern in an unsupported way, such as by leaving a transaction open. A
 * driver sets it as the cause of a `SqlError`; its message becomes the `detail` of `StorageUnavailable`.
 */
export class SharedDatabaseError extends Error {
  override readonly name = "SharedDatabaseError"
}

/**
 * The file of a database is corrupt, or no longer the one that was opened. A driver sets it as the cause of a `SqlError`;
 * its message becomes the `detail` of `StorageUnavailable`.
 */
export class DatabaseFileError extends Error {
  override readonly name = "DatabaseFileError"
  /** The reason of the `StorageUnavailable`. */
  readonly reason: "Corrupted" | "FileReplaced"

  constructor(reason: "Corrupted" | "FileReplaced", message: string) {
    super(message)
    this.reason = reason
  }
}

/** The default details: the cause and the remedy, by reason. */
const details: Readonly<Record<StorageUnavailable["reason"], string>> = {
  Unreachable: "The database is unreachable or rejects connections. Check that it is running.",
  Contention:
    "A lock was not free within the lock timeout. Check for long transactions and locks of other programs.",
  Overloaded:
    "No connection to the database became free in time. Raise the maximum number of connections, or lower the load.",
  DeadlineExceeded:
    "The database did not complete a statement within the statement timeout, or did not respond. Check its load and the network.",
  ReadOnly:
    "The database accepts no writes. Check its free disk space, its permissions, and that it is not a standby.",
  Corrupted:
    "The file of the database is corrupt. Stop the server, copy the file, and run `lectern doctor` on the copy. Restore a backup, or copy the readable rows with `lectern salvage`.",
  FileReplaced:
    "The file of the database was replaced, moved or deleted while it was open. Restore the file, and restart the server.",
  ConversionFailed: "A thread that converts content ended without a result. Check the memory of the server.",
  SchemaTooNew:
    "A newer version of Lectern migrated the database, so this version no longer writes to it. Restart with the newer version."
}

/** Whether an error class is a reason of `StorageUnavailable`. */
export const isUnavailableReason = (errorClass: ErrorClass): errorClass is StorageUnavailable["reason"] =>
  Object.hasOwn(details, errorClass)

/**
 * Returns the error for a statement that the database did not execute. The `detail` is the message of a
 * {@link SharedDatabaseError} or {@link DatabaseFileError}, or else `detail`, which by default describes the reason.
 */
export const toStorageUnavailable = (
  error: SqlError,
  reason: StorageUnavailable["reason"],
  detail: string = details[reason]
): StorageUnavailable =>
  new StorageUnavailable({
    reason,
    detail:
      error.reason.cause instanceof SharedDatabaseError || error.reason.cause instanceof DatabaseFileError
        ? error.reason.cause.message
        : detail,
    cause: error
  })

/**
 * Fails with the storage error that a database error means for a statement on `table`. A programming error, such as
 * invalid SQL or a missing table, is a defect.
 */
export const failWithStorageError = (
  dialect: Dialect,
  table: string,
  error: SqlError
): Effect.Effect<never, WriteError> => {
  const errorClass = dialect.classify(error)
  switch (errorClass) {
    case "UniqueViolation":
      return Effect.fail(new UniqueViolation({ table }))
    case "ReferenceViolation":
      return Effect.fail(new ReferenceViolation({ table }))
    case "Conflict":
      return Effect.fail(new StorageConflict())
    case "Defect":
      return Effect.die(error)
    default:
      return Effect.fail(toStorageUnavailable(error, errorClass))
  }
}

/**
 * Converts a database error of `BEGIN`, `COMMIT` or `ROLLBACK` in the cause of a failed transaction. Errors of other
 * statements have been converted already. The error is a defect in the cause if `ROLLBACK` failed because the
 * connection was lost; the database then rolls back without it.
 */
export const failWithTransactionError = <E>(
  dialect: Dialect,
  cause: Cause.Cause<E | SqlError>
): Effect.Effect<never, Exclude<E, SqlError> | WriteError> => {
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason)
      ? reason.error
      : Cause.isDieReason(reason)
        ? reason.defect
        : undefined
    if (isSqlError(error)) return failWithStorageError(dialect, "", error)
  }
  return Effect.failCause(cause as Cause.Cause<Exclude<E, SqlError>>)
}
