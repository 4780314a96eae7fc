import { PgClient } from "@effect/sql-pg"
import { createDialect, dialect } from "@lectern/storage-pg"
import { createTables, type Dialect, migrated, SqlRecords } from "@lectern/storage-sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fill, pages, statementOf } from "../../storage-sql/test/support/planning.ts"
import { tables } from "../../storage-sql/test/support/tables.ts"
import { database } from "./support.ts"

const start = async (dialect: Dialect) =>
  ManagedRuntime.make(
    SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(migrated(dialect, createTables(tables))),
      Layer.provideMerge(PgClient.layer({ url: await database() }))
    )
  )

const query = <A extends object>(text: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(text, parameters))

describe.each([
  ["PostgreSQL", dialect],
  ["PostgreSQL in a schema", createDialect({ schema: "lectern" })]
])("%s serves a page by an index, without sorting", (_, dialect) => {
  let runtime: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    runtime = await start(dialect)
    await runtime.runPromise(Effect.andThen(fill, query("ANALYZE")))
  })
  afterAll(() => runtime.dispose())

  for (const [name, find] of pages) {
    it(name, async () => {
      const rows = await runtime.runPromise(
        Effect.flatMap(statementOf(dialect, find), ([text, parameters]) =>
          query<{ readonly "QUERY PLAN": string }>(`EXPLAIN ${text}`, parameters)
        )
      )
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
      expect(plan).toMatch(/^Limit.*\n\s+->\s+Index Scan( Backward)? using/)
      expect(plan).not.toMatch(/Sort|Seq Scan/)
      if (find.after !== undefined) expect(plan).toMatch(/Index Cond:.*ROW\(/)
    })
  }
})
