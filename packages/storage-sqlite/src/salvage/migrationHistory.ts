/** Restores the history of migrations, without which a database cannot be upgraded. */
import type { DatabaseSync } from "node:sqlite"
import { type Migration, migrate } from "@lectern/storage-sql"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { inMemory } from "../connection.ts"
import { createDialect } from "../dialect.ts"
import { openDatabase } from "../SqliteClient.ts"

const schemaQuery = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"

/** Returns the statements of a schema after the given migrations. */
const schemaAfter = (prefix: string, migrations: ReadonlyArray<Migration>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { client } = yield* openDatabase({ filename: inMemory })
      yield* Effect.provideService(
        migrate(createDialect({ prefix }), migrations),
        SqlClient.SqlClient,
        client
      )
      return yield* client.unsafe<{ readonly sql: string }>(schemaQuery)
    })
  ).pipe(Effect.provide(Reactivity.layer), Effect.orDie)

/**
 * Returns the migrations whose schema a database has, or undefined if it has the schema after none of them. Tables of a host
 * are ignored.
 */
export const findAppliedMigrations = Effect.fnUntraced(function* (
  database: DatabaseSync,
  prefix: string,
  migrations: ReadonlyArray<Migration>
) {
  const found = new Set(
    database
      .prepare(schemaQuery)
      .all()
      .map(({ sql }) => String(sql))
  )
  for (let count = migrations.length; count > 0; count--) {
    const applied = migrations.slice(0, count)
    const expected = yield* schemaAfter(prefix, applied)
    if (expected.every(({ sql }) => found.has(sql))) return applied
  }
  return undefined
})
