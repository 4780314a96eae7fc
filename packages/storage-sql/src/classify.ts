/**
 * Converts driver errors to the errors of the storage port. The messages of drivers only reach the log, as the cause.
 */
import {
  ReferenceViolation,
  StorageConflict,
  StorageUnavailable,
  UniqueViolation,
  type WriteError
} from "@lectern/core"
import { Cause, Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { Dialect } from "./Dialect.ts"

/**
 * The host uses a database that it shares with Lectern in an unsupported way, such as by leaving a transaction open. A
 * driver sets it as the cause of a `SqlError`; its message becomes the `detail` of `StorageUnavailable`.
 */
export class SharedDatabaseError extends Error {
  override readonly name = "SharedDatabaseError"
}

/** Returns the `detail` of `StorageUnavailable` for a database error: `fallback`, unless the host caused the error. */
export const unavailableDetail = (error: SqlError, fallback: string): string =>
  error.reason.cause instanceof SharedDatabaseError ? error.reason.cause.message : fallback

/**
 * Fails with the storage error that a database error means for a statement on `table`. A programming error, such as
 * invalid SQL or a missing table, is a defect.
 */
export const failWithStorageError = (
  dialect: Dialect,
  table: string,
  error: SqlError
): Effect.Effect<never, WriteError> => {
  switch (dialect.classify(error)) {
    case "UniqueViolation":
      return Effect.fail(new UniqueViolation({ table }))
    case "ReferenceViolation":
      return Effect.fail(new ReferenceViolation({ table }))
    case "Conflict":
      return Effect.fail(new StorageConflict())
    case "Unavailable":
      return Effect.fail(
        new StorageUnavailable({
          reason: "Unreachable",
          detail: unavailableDetail(
            error,
            "The database is unreachable or did not execute a statement. Check that it is running."
          ),
          cause: error
        })
      )
    case "Defect":
      return Effect.die(error)
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
