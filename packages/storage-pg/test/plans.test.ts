import { PgClient } from "@effect/sql-pg"
import { createDialect, dialect } from "@lectern/storage-pg"
import { createTables, type Dialect, migrationLayer, SqlRecords } from "@lectern/storage-sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { captureStatement, insertRows, pageQueries } from "../../storage-sql/test/support/planning.ts"
import { tables } from "../../storage-sql/test/support/tables.ts"
import { createDatabase } from "./support.ts"

const createRuntime = async (dialect: Dialect) =>
  ManagedRuntime.make(
    SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(migrationLayer(dialect, createTables(tables))),
      Layer.provideMerge(PgClient.layer({ url: await createDatabase() }))
    )
  )

const query = <A extends object>(text: string, parameters: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(text, parameters))

describe.each([
  ["PostgreSQL", dialect],
  ["PostgreSQL in a schema", createDialect({ schema: "lectern" })]
])("%s reads from an index without sorting", (_, dialect) => {
  let runtime: Awaited<ReturnType<typeof createRuntime>>
  beforeAll(async () => {
    runtime = await createRuntime(dialect)
    await runtime.runPromise(Effect.andThen(insertRows, query("ANALYZE")))
  })
  afterAll(() => runtime.dispose())

  for (const [name, find] of pageQueries) {
    it(name, async () => {
      const rows = await runtime.runPromise(
        Effect.flatMap(captureStatement(dialect, find), ([text, parameters]) =>
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
