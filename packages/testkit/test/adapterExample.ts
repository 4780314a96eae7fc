/** The example adapter of the README: a storage adapter over a hand-written `SqlClient` for the `pg` driver. */

import { PgClient } from "@effect/sql-pg"
import type { RecordsAdapter } from "@lectern/core"
import { dialect } from "@lectern/storage-pg"
import { type Migration, migrationLayer, migrations, SqlRecords } from "@lectern/storage-sql"
import { Effect, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import pg from "pg"

// PostgreSQL returns BIGINT as a string by default. Lectern requires a number.
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format))
}

/** Classification reads the driver's error from `cause`, so it must be the unmodified error. */
const toSqlError = (operation: string) => (cause: unknown) =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({ cause, message: `The ${operation} failed.`, operation })
  })

const toConnection = (client: pg.PoolClient): SqlConnection.Connection => {
  const query = (text: string, values: ReadonlyArray<unknown>, rowMode?: "array") =>
    Effect.tryPromise({
      try: () => client.query({ text, values: [...values], types, ...(rowMode && { rowMode }) }),
      catch: toSqlError("statement")
    })
  const rows: SqlConnection.Connection["execute"] = (text, values, transform) =>
    Effect.map(query(text, values), (result) => (transform ? transform(result.rows) : result.rows))
  const arrays: SqlConnection.Connection["executeValues"] = (text, values) =>
    Effect.map(query(text, values, "array"), (result) => result.rows as unknown as Array<Array<unknown>>)
  return {
    execute: rows,
    executeUnprepared: rows,
    executeValues: arrays,
    executeValuesUnprepared: arrays,
    executeRaw: query,
    executeStream: (text, values, transform) => Stream.fromIterableEffect(rows(text, values, transform))
  }
}

/** Opens a connection pool as a `SqlClient`. */
const makeClient = Effect.fnUntraced(function* (url: string) {
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ connectionString: url })),
    (pool) => Effect.promise(() => pool.end())
  )
  const acquire = Effect.acquireRelease(
    Effect.tryPromise({ try: () => pool.connect(), catch: toSqlError("connection") }),
    (client) => Effect.sync(() => client.release())
  )
  return yield* SqlClient.make({
    acquirer: Effect.map(acquire, toConnection),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: []
  })
})

/** Opens a store in the database at `url`. Runs the migrations first, by default the workspace migrations. */
export const exampleStorage = (
  url: string,
  schema: ReadonlyArray<Migration> = migrations
): Layer.Layer<RecordsAdapter, unknown> =>
  SqlRecords.layer(dialect).pipe(
    Layer.provideMerge(migrationLayer(dialect, schema)),
    Layer.provide(Layer.effect(SqlClient.SqlClient, makeClient(url))),
    Layer.provide(Reactivity.layer)
  )
