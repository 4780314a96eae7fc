/** What holds for migrations in every dialect. */
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

const inOrder = (
  ...changes: ReadonlyArray<ReadonlyArray<SchemaChange.SchemaChange>>
): ReadonlyArray<Migration> =>
  changes.map((changes, index) => ({ number: index + 1, name: `step ${index + 1}`, changes }))

const numbers = (ran: ReadonlyArray<Migration>) => ran.map(({ number }) => number)

const query = (text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<{ value: unknown }>(text))

/** `fresh` gives a client of a new database, which makes a connection of its own each time that it is built. */
export const migrationTests = (dialect: Dialect, fresh: () => Promise<Client>): void => {
  const on = <A, E>(client: Client, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.runPromise(Effect.provide(effect, Layer.fresh(client)))

  it("makes what the workspace declares", async () => {
    const client = await fresh()
    expect(numbers(await on(client, migrate(dialect, migrations)))).toEqual(migrations.map((_, i) => i + 1))
    expect(await on(client, verifySchema(dialect, workspaceTables))).toEqual([])
    expect(await on(client, migrate(dialect, migrations))).toEqual([])
  })

  it("runs each migration once, whoever starts at the same time", async () => {
    const client = await fresh()
    const steps = inOrder(
      [SchemaChange.makeTable(folders)],
      [SchemaChange.makeTable(files)],
      [SchemaChange.addIndex("files", ["kind", "folder", "name"])]
    )
    const ran = await Promise.all(Array.from({ length: 5 }, () => on(client, migrate(dialect, steps))))
    expect(ran.flatMap(numbers).sort()).toEqual([1, 2, 3])
  })

  it("refuses a database that a later version wrote, and leaves it alone", async () => {
    const client = await fresh()
    const steps = inOrder([SchemaChange.makeTable(folders)], [SchemaChange.makeTable(files)])
    await on(client, migrate(dialect, steps))
    const error = await on(client, Effect.flip(migrate(dialect, steps.slice(0, 1))))
    expect(error).toBeInstanceOf(SchemaTooNew)
    expect(error).toMatchObject({ database: 2, known: 1 })
    expect(await on(client, verifySchema(dialect, tables))).toEqual([])
  })

  it("changes tables that have rows", async () => {
    const client = await fresh()
    const insert = (table: (name: string) => string) => [
      `INSERT INTO ${table("folders")} ("id", "parent", "name") VALUES ('1', NULL, 'a')`
    ]
    const { boolean, integer, nullable, text } = Table
    const before = [SchemaChange.makeTable(folders), SchemaChange.raw({ sqlite: insert, postgres: insert })]
    const steps = inOrder(before, [
      SchemaChange.addColumn("folders", "note", nullable(text())),
      SchemaChange.addColumn("folders", "label", text(), { rows: "it's" }),
      SchemaChange.addColumn("folders", "starred", boolean(), { rows: true }),
      SchemaChange.addColumn("folders", "size", integer(), { rows: 7 }),
      SchemaChange.addColumn("folders", "root", nullable(text()), {
        reference: { table: () => folders, onRemove: "restrict" }
      }),
      SchemaChange.addIndex("folders", ["label", "id"]),
      SchemaChange.addUnique("folders", ["size", "starred"])
    ])
    await on(client, migrate(dialect, steps.slice(0, 1)))
    await on(client, migrate(dialect, steps))
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
    expect(await on(client, verifySchema(dialect, [after]))).toEqual([])
    const rows = await on(
      client,
      query(`SELECT "label" AS "value" FROM ${dialect.table("folders")} WHERE "size" = 7`)
    )
    expect(rows).toEqual([{ value: "it's" }])
  })

  it("leaves nothing of a migration that fails", async () => {
    const client = await fresh()
    const wrong = SchemaChange.raw({ sqlite: ["NOT SQL"], postgres: ["NOT SQL"] })
    const steps = inOrder([SchemaChange.makeTable(folders)], [SchemaChange.makeTable(files), wrong])
    const exit = await on(client, Effect.exit(migrate(dialect, steps)))
    expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
    expect(await on(client, verifySchema(dialect, tables))).toEqual(["files is not in the database."])
    const mended = inOrder([SchemaChange.makeTable(folders)], [SchemaChange.makeTable(files)])
    expect(numbers(await on(client, migrate(dialect, mended)))).toEqual([2])
  })

  it("sees a database that differs from the declarations", async () => {
    const client = await fresh()
    await on(client, migrate(dialect, createTables(tables)))
    const { json, nullable, text } = Table
    const other = Table.make("folders", {
      columns: { id: text(), parent: text(), name: nullable(text()), more: json() },
      key: ["id"],
      unique: [["name"]],
      references: { parent: { table: (): Table.AnyTable => folders, onRemove: "restrict" } },
      indexes: [["name", "parent"]]
    })
    const type = dialect.columnType("text")
    expect([...(await on(client, verifySchema(dialect, [other])))].sort()).toEqual(
      [
        `folders has column name: ${type}, undeclared.`,
        `folders has column parent: ${type}, or null, undeclared.`,
        "folders has index (parent, name, id), undeclared.",
        "folders has parent refers to folders, cascade, undeclared.",
        `folders lacks column more: ${dialect.columnType("json")}.`,
        `folders lacks column name: ${type}, or null.`,
        `folders lacks column parent: ${type}.`,
        "folders lacks index (name, parent, id).",
        "folders lacks parent refers to folders, restrict.",
        "folders lacks unique (name)."
      ].sort()
    )
  })
}
