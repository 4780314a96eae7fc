/** From a driver's error to one that core knows, in one place. Messages of drivers go no further than the log. */
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
 * The host shares its database with Lectern in a way that Lectern cannot work with, such as a transaction that it left
 * open. A driver sets it as the cause of a `SqlError`; its message becomes the `detail` of `StorageUnavailable`.
 */
export class SharedDatabaseError extends Error {
  override readonly name = "SharedDatabaseError"
}

/** The `detail` of `StorageUnavailable` for an error of the database. */
export const detailOf = (error: SqlError, otherwise: string): string =>
  error.reason.cause instanceof SharedDatabaseError ? error.reason.cause.message : otherwise

/**
 * Fails with what an error of the database means for the table that was asked. A mistake of ours (a statement that
 * does not parse, a table that is not there) is a defect.
 */
export const classify = (
  dialect: Dialect,
  table: string,
  error: SqlError
): Effect.Effect<never, WriteError> => {
  switch (dialect.classify(error)) {
    case "Unique":
      return Effect.fail(new UniqueViolation({ table }))
    case "Reference":
      return Effect.fail(new ReferenceViolation({ table }))
    case "Conflict":
      return Effect.fail(new StorageConflict())
    case "Unavailable":
      return Effect.fail(
        new StorageUnavailable({
          reason: "Unreachable",
          detail: detailOf(error, "The database does not answer as it should."),
          cause: error
        })
      )
    case "Mistake":
      return Effect.die(error)
  }
}

/**
 * What the end of a transaction came to, where the database's own error is in it. Verbs turn theirs into others, so
 * it is that of `BEGIN`, `COMMIT` or `ROLLBACK`. A `ROLLBACK` that cannot be said, for the connection is gone, comes
 * as a defect: the database rolls back by itself then, and there is nothing to mend here.
 */
export const classifyTransaction = <E>(
  dialect: Dialect,
  cause: Cause.Cause<E | SqlError>
): Effect.Effect<never, Exclude<E, SqlError> | WriteError> => {
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason)
      ? reason.error
      : Cause.isDieReason(reason)
        ? reason.defect
        : undefined
    if (isSqlError(error)) return classify(dialect, "", error)
  }
  return Effect.failCause(cause as Cause.Cause<Exclude<E, SqlError>>)
}
