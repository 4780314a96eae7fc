/** From a driver's error to one that core knows, in one place. Messages of drivers go no further than the log. */
import {
  ReferenceViolation,
  StorageConflict,
  StorageUnavailable,
  UniqueViolation,
  type WriteError
} from "@lectern/core"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Dialect } from "./Dialect.ts"

/**
 * Fails with what an error of the database means for the table that was asked. One that only a mistake of ours can
 * cause (a statement that does not parse, a table that is not there) is a defect.
 */
export const classify = (
  dialect: Dialect,
  table: string,
  error: SqlError
): Effect.Effect<never, WriteError> => {
  switch (error.reason._tag) {
    case "UniqueViolation":
      return Effect.fail(new UniqueViolation({ table }))
    case "ConstraintError":
      return dialect.isReferenceViolation(error)
        ? Effect.fail(new ReferenceViolation({ table }))
        : Effect.die(error)
    case "SerializationError":
    case "DeadlockError":
    case "LockTimeoutError":
      return Effect.fail(new StorageConflict())
    case "ConnectionError":
    case "AuthenticationError":
    case "AuthorizationError":
    case "StatementTimeoutError":
      return Effect.fail(new StorageUnavailable({ reason: error.reason._tag, cause: error }))
    default:
      return Effect.die(error)
  }
}
