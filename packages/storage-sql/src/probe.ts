/** The probe of `RecordsAdapter`, which writes more after a failed write. */
import { type ReadError, type RecordsAdapter, StorageUnavailable, type WriteError } from "@lectern/kernel"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import { migrationHistoryTable } from "./Migration.ts"

/** Executes a statement of the probe in its transaction. */
type ExecuteUnprepared = (text: string) => Effect.Effect<unknown, SqlError>

/** Runs an effect in a transaction. */
type RunInTransaction = (self: Effect.Effect<void, WriteError>) => Effect.Effect<void, WriteError | ReadError>

/** Creates the probe of a store, and the function that observes its transactions. */
export const makeProbe = (dialect: Dialect) => {
  /** Whether the last write that reached the disk failed because the database accepts none. */
  let hasWriteFailed = false

  /** Remembers whether a transaction fails because the database accepts no writes. */
  const observeWrites = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tapError(run, (error) =>
      Effect.sync(() => {
        if (error instanceof StorageUnavailable && error.reason === "ReadOnly") hasWriteFailed = true
      })
    )

  const probe = (execute: ExecuteUnprepared, inTransaction: RunInTransaction) =>
    Effect.suspend(() =>
      inTransaction(
        Effect.catch(
          Effect.forEach(dialect.probe(dialect.table(migrationHistoryTable), hasWriteFailed), execute, {
            discard: true
          }),
          (error) => failWithStorageError(dialect, "", error)
        )
      )
    ).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          hasWriteFailed = false
        })
      ),
      Effect.catchTag("StorageConflict", () =>
        Effect.fail(new StorageUnavailable({ reason: "Contention", detail: "The probe conflicted." }))
      )
    ) as RecordsAdapter["Service"]["probe"]

  return { observeWrites, probe }
}
