/** Functions that the clients of every driver use. */
import { PgClient } from "@effect/sql-pg"
import type { SqlRecords } from "@lectern/storage-sql"
import { Effect } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"

/** Executes a statement outside of transactions. */
export type Execute = SqlRecords.Execute

/** Compiles the statements of `SqlClient` for PostgreSQL. */
export const postgresCompiler: ReturnType<typeof PgClient.makeCompiler> = PgClient.makeCompiler()

/** Object identifiers of the types that need a parser. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float4: 700, float8: 701 } as const

/** Parsers of the text format of column values, by the object identifier of the type. */
export const parsers: ReadonlyMap<number, (value: string) => unknown> = new Map<
  number,
  (value: string) => unknown
>([
  [oids.bool, (value) => value === "t"],
  [oids.bytea, (value) => Buffer.from(value.slice(2), "hex")],
  [oids.int8, Number],
  [oids.int2, Number],
  [oids.int4, Number],
  [oids.float4, Number],
  [oids.float8, Number]
])

/**
 * Returns whether a code is a SQLSTATE, which has five characters. Others, such as `ECONNRESET`, are connection errors.
 */
const isSqlState = (code: unknown): boolean => typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)

/** Returns the error of a driver as a `SqlError`. */
export const toSqlError = (cause: unknown, operation: string): SqlError.SqlError => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  const reason = isSqlState(code)
    ? new SqlError.UnknownError({ cause, operation })
    : new SqlError.ConnectionError({ cause, operation })
  return new SqlError.SqlError({ reason })
}

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
