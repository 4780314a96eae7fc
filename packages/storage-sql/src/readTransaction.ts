/** Transactions that read one committed state: see `RecordsAdapter.readTransaction`. */
import type { ReadError, RecordsAdapter } from "@lectern/kernel"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import type { SqlRecordsOptions } from "./SqlRecordsOptions.ts"

/** Returns the read transactions of a store, or undefined if it does not support them. */
export const makeReadTransaction = (
  dialect: Dialect,
  sql: SqlClient.SqlClient,
  openSnapshot: SqlRecordsOptions["openSnapshot"],
  withTransaction: <A, E, R>(
    begin: string | undefined,
    self: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | ReadError, R>
): RecordsAdapter["Service"]["readTransaction"] => {
  const { beginReadOnly } = dialect
  if (beginReadOnly !== undefined) return (self) => withTransaction(beginReadOnly, self)
  if (openSnapshot === undefined) return undefined
  return <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.scoped(
      Effect.flatMap(
        Effect.catch(openSnapshot, (error) => failWithStorageError(dialect, "", error)),
        (connection) => Effect.provideService(self, sql.transactionService, [connection, 0])
      )
    ) as Effect.Effect<A, E | ReadError, R>
}
