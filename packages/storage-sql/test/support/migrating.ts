/** Tests of migrations that every dialect must pass. */
import { Table, tables as workspaceTables } from "@lectern/core"
import {
  createTables,
  type Dialect,
  type Migration,
  migrate,
  migrations,
  SchemaChange,
  SchemaTooNew,
  verifySchema
} from "@lectern/storage-sql"
import { Cause, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { files, folders, tables } from "./tables.ts"

type Client = Layer.Layer<SqlClient.SqlClient, unknown>

const toMigrations = (
  ...changes: ReadonlyArray<ReadonlyArray<SchemaChange.SchemaChange>>
): ReadonlyArray<Migration> =>
  changes.map((changes, index) => ({ number: index + 1, name: `step ${index + 1}`, changes }))

const numbersOf = (migrations: ReadonlyArray<Migration>) => migrations.map(({ number }) => number)

const query = (text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<{ value: unknown }>(text))

/**
 * Defines the tests. `createDatabase` creates an empty database and returns a layer that opens a new connection to it
 * each time it is built.
 */
export const migrationTests = (dialect: Dialect, createDatabase: () => Promise<Client>): void => {
  const run = <A, E>(client: Client, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.runPromise(Effect.provide(effect, Layer.fresh(client)))

  it("creates the tables that the workspace declares", async () => {
    const client = await createDatabase()
    const numbers = numbersOf(migrations)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    expect(numbersOf(await run(client, migrate(dialect, migrations)))).toEqual(numbers)
    expect(await run(client, verifySchema(dialect, workspaceTables))).toEqual([])
    expect(await run(client, migrate(dialect, migrations))).toEqual([])
  })

  it("applies each migration once when five clients migrate concurrently", async () => {
    const client = await createDatabase()
    const steps = toMigrations(
      [SchemaChange.createTable(folders)],
      [SchemaChange.createTable(files)],
      [SchemaChange.addIndex("files", ["kind", "folder", "name"])]
    )
    const applied = await Promise.all(Array.from({ length: 5 }, () => run(client, migrate(dialect, steps))))
    expect(applied.flatMap(numbersOf).sort()).toEqual([1, 2, 3])
  })

  it("fails with SchemaTooNew without changes if a later version migrated the database", async () => {
    const client = await createDatabase()
    const steps = toMigrations([SchemaChange.createTable(folders)], [SchemaChange.createTable(files)])
    await run(client, migrate(dialect, steps))
    const error = await run(client, Effect.flip(migrate(dialect, steps.slice(0, 1))))
    expect(error).toBeInstanceOf(SchemaTooNew)
    expect(error).toMatchObject({ database: 2, supported: 1 })
    expect(await run(client, verifySchema(dialect, tables))).toEqual([])
  })

  it("adds columns and indexes to a table with rows, and backfills the columns", async () => {
    const client = await createDatabase()
    const insert = (table: (name: string) => string) => [
      `INSERT INTO ${table("folders")} ("id", "parent", "name") VALUES ('1', NULL, 'a')`
    ]
    const { boolean, integer, nullable, text } = Table
    const before = [SchemaChange.createTable(folders), SchemaChange.raw({ sqlite: insert, postgres: insert })]
    const steps = toMigrations(before, [
      SchemaChange.addColumn("folders", "note", nullable(text())),
      SchemaChange.addColumn("folders", "label", text(), { backfill: "it's" }),
      SchemaChange.addColumn("folders", "starred", boolean(), { backfill: true }),
      SchemaChange.addColumn("folders", "size", integer(), { backfill: 7 }),
      SchemaChange.addColumn("folders", "root", nullable(text()), {
        reference: { table: () => folders, onRemove: "restrict" }
      }),
      SchemaChange.addIndex("folders", ["label", "id"]),
      SchemaChange.addUnique("folders", ["size", "starred"])
    ])
    await run(client, migrate(dialect, steps.slice(0, 1)))
    await run(client, migrate(dialect, steps))
    const after = Table.make("folders", {
      columns: {
        ...folders.columns,
        note: nullable(text()),
        label: text(),
        starred: boolean(),
        size: integer(),
        root: nullable(text())
      },
      key: ["id"],
      unique: [["size", "starred"]],
      references: { ...folders.references, root: { table: () => folders, onRemove: "restrict" } },
      indexes: [...folders.indexes, ["label"]]
    })
    expect(await run(client, verifySchema(dialect, [after]))).toEqual([])
    const rows = await run(
      client,
      query(`SELECT "label" AS "value" FROM ${dialect.table("folders")} WHERE "size" = 7`)
    )
    expect(rows).toEqual([{ value: "it's" }])
  })

  it("rolls back a migration that fails, and applies its corrected version", async () => {
    const client = await createDatabase()
    const invalid = SchemaChange.raw({ sqlite: ["NOT SQL"], postgres: ["NOT SQL"] })
    const steps = toMigrations(
      [SchemaChange.createTable(folders)],
      [SchemaChange.createTable(files), invalid]
    )
    const exit = await run(client, Effect.exit(migrate(dialect, steps)))
    expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
    expect(await run(client, verifySchema(dialect, tables))).toEqual(["Table `files` does not exist."])
    const corrected = toMigrations([SchemaChange.createTable(folders)], [SchemaChange.createTable(files)])
    expect(numbersOf(await run(client, migrate(dialect, corrected)))).toEqual([2])
  })

  it("reports each difference between a database and the declarations", async () => {
    const client = await createDatabase()
    await run(client, migrate(dialect, createTables(tables)))
    const { json, nullable, text } = Table
    const other = Table.make("folders", {
      columns: { id: text(), parent: text(), name: nullable(text()), more: json() },
      key: ["id"],
      unique: [["name"]],
      references: { parent: { table: (): Table.AnyTable => folders, onRemove: "restrict" } },
      indexes: [["name", "parent"]]
    })
    const type = dialect.columnType("text")
    expect([...(await run(client, verifySchema(dialect, [other])))].sort()).toEqual(
      [
        `unexpected column name ${type} NOT NULL`,
        `unexpected column parent ${type}`,
        "unexpected index (parent, name, id)",
        "unexpected reference from parent to folders (cascade)",
        `missing column more ${dialect.columnType("json")} NOT NULL`,
        `missing column name ${type}`,
        `missing column parent ${type} NOT NULL`,
        "missing index (name, parent, id)",
        "missing reference from parent to folders (restrict)",
        "missing unique (name)"
      ]
        .map((difference) => `Table \`folders\`: ${difference}.`)
        .sort()
    )
  })
}
