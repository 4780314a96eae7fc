/** Functions that the clients of every driver use. */
import { PgClient } from "@effect/sql-pg"
import type { SqlRecords } from "@lectern/storage-sql"
import { Effect } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"

/** Executes a statement outside of transactions. */
export type Execute = SqlRecords.Execute

/** Compiles the statements of `SqlClient` for PostgreSQL. */
export const postgresCompiler: ReturnType<typeof PgClient.makeCompiler> = PgClient.makeCompiler()

/**
 * Commits a transaction. PostgreSQL completes the `COMMIT` of a failed transaction with `ROLLBACK` and without an
 * error.
 */
export const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as { readonly command?: string }).command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: new Error(
                "PostgreSQL rolled back the transaction at COMMIT, because one of its statements had failed."
              ),
              operation: "commit"
            })
          })
        )
      : Effect.void
  )
