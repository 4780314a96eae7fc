import { createTables, migrationLayer, SqlRecords } from "@lectern/storage-sql"
import { createDialect, dialect, SqliteClient } from "@lectern/storage-sqlite"
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { captureStatement, insertRows, pageQueries } from "../../storage-sql/test/support/planning.ts"
import { tables } from "../../storage-sql/test/support/tables.ts"

const queryPlan = (text: string, parameters: ReadonlyArray<unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
  )

describe.each([
  ["SQLite", "", dialect],
  ["SQLite with a prefix", "docs_", createDialect({ prefix: "docs_" })]
])("%s reads from an index without sorting", (_, prefix, dialect) => {
  const runtime = ManagedRuntime.make(
    SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(migrationLayer(dialect, createTables(tables))),
      Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
    )
  )
  beforeAll(() => runtime.runPromise(insertRows))
  afterAll(() => runtime.dispose())

  for (const [name, find] of pageQueries) {
    it(name, async () => {
      const plan = await runtime.runPromise(
        Effect.flatMap(captureStatement(dialect, find), (statement) => queryPlan(...statement))
      )
      // A single step: a search of an index or of the key by the folder and, after the first page, by the cursor.
      expect(plan.map(({ detail }) => detail)).toEqual([
        expect.stringMatching(
          new RegExp(
            `^SEARCH ${prefix}files USING (INDEX ${prefix}files_folder_size_name|PRIMARY KEY) \\(folder=\\?${find.after === undefined ? "" : ".*[<>].*"}\\)$`
          )
        )
      ])
    })
  }
})
