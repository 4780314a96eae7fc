/** Tests of Lectern in the database of a host: with a prefix, over its own connections or the host's handle. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite"
import { createWorkspace, RecordsAdapter, StorageUnavailable, tables as workspaceTables } from "@lectern/core"
import { createTables, TableNameConflict, verifySchema } from "@lectern/storage-sql"
import { createDialect, runExclusively, SqliteClient, SqliteStorage, sqlite } from "@lectern/storage-sqlite"
import { storageConformance } from "@lectern/testkit/conformance"
import { Effect, Layer } from "effect"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import {
  createHostTables,
  hostRows,
  hostTables,
  testTwoWorkspaces,
  testWorkspace
} from "../../storage-sql/test/support/embedding.ts"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-embedding-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

/** Creates a database of a host, with tables that have the names of Lectern's tables. */
const createHostDatabase = (options: DatabaseSyncOptions = {}) => {
  const filename = join(folder, `${files++}.db`)
  const database = new DatabaseSync(filename, options)
  for (const statement of createHostTables()) database.exec(statement)
  const readHostContent = () => {
    const other = new DatabaseSync(filename)
    try {
      return {
        schema: other
          .prepare(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND lower(name) NOT GLOB 'lectern_*' ORDER BY name"
          )
          .all(),
        tables: hostTables.map((name) => other.prepare(`SELECT * FROM "${name}"`).all())
      }
    } finally {
      other.close()
    }
  }
  const before = readHostContent()
  return {
    filename,
    database,
    /** Fails if the schema or the rows of the host have changed. */
    requireUntouched: () => {
      const after = readHostContent()
      expect(after).toEqual(before)
      for (const rows of after.tables) expect(rows.map((row) => ({ ...row }))).toEqual(hostRows)
    }
  }
}

/** Creates a host's database, whose handle is closed when the test finishes. */
const openHostDatabase = (options?: DatabaseSyncOptions) => {
  const host = createHostDatabase(options)
  onTestFinished(() => {
    if (host.database.isOpen) host.database.close()
  })
  return host
}

describe("in a database with tables of a host", () => {
  const { filename, requireUntouched } = createHostDatabase()
  // The handle has other defaults than Lectern's own, and a rollback journal, in which a writer blocks readers.
  const shared = createHostDatabase({ readBigInts: true, returnArrays: true })
  afterAll(() => shared.database.close())

  storageConformance("SQLite with a prefix", (tables) =>
    SqliteStorage.layer({ filename, prefix: "lectern_", migrations: createTables(tables) })
  )
  storageConformance("SQLite with a prefix over the host's handle", (tables) =>
    SqliteStorage.layer({ database: shared.database, prefix: "Lectern_", migrations: createTables(tables) })
  )

  it("the conformance tests do not change the host's tables", () => {
    requireUntouched()
    shared.requireUntouched()
  })

  it("the conformance tests leave the host's handle open and without a transaction", () => {
    expect([shared.database.isOpen, shared.database.isTransaction]).toEqual([true, false])
  })
})

describe("a workspace", () => {
  it("with a prefix does not change the host's tables in the same file", async () => {
    const { filename, requireUntouched } = openHostDatabase()
    await testWorkspace(sqlite({ filename, prefix: "lectern_" }))
    requireUntouched()
  })

  it("shares a host's handle, and leaves it open when it is disposed of", async () => {
    const { database, requireUntouched } = openHostDatabase()
    await testWorkspace(sqlite({ database, prefix: "lectern_" }))
    requireUntouched()
    expect(database.isOpen).toBe(true)
  })

  it.each(["filename", "database"] as const)(
    "is isolated from one with another prefix, by %s",
    async (by) => {
      const { filename, database, requireUntouched } = openHostDatabase()
      const openStore = (prefix: string) =>
        sqlite(by === "filename" ? { filename, prefix } : { database, prefix })
      await testTwoWorkspaces(openStore("lectern_one_"), openStore("lectern_two_"))
      requireUntouched()
    }
  )

  it("accepts a filename as a plain string, and a handle without a prefix", async () => {
    await testWorkspace(sqlite(join(folder, `${files++}.db`)))
    const database = new DatabaseSync(":memory:")
    await testWorkspace(sqlite({ database }))
    database.close()
  })

  it("creates the tables that it declares, with its prefix", async () => {
    const { filename } = openHostDatabase()
    await Effect.runPromise(Effect.scoped(Layer.build(sqlite({ filename, prefix: "lectern_" }))))
    const differences = verifySchema(createDialect({ prefix: "LECTERN_" }), workspaceTables)
    const client = SqliteClient.layer({ filename })
    expect(await Effect.runPromise(Effect.provide(differences, client))).toEqual([])
  })
})

describe("a name conflict", () => {
  it("fails at start with the names and the option in the message, without changes", async () => {
    const { filename, database, requireUntouched } = openHostDatabase()
    database.exec(`DROP TABLE "lecternMigrations"; CREATE VIEW "TEAMS" AS SELECT 1`)
    const error = await Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(sqlite(filename)))))
    expect(error).toBeInstanceOf(TableNameConflict)
    expect(error.message).toContain('table "users"')
    expect(error.message).toContain('view "TEAMS"')
    expect(error.message).toContain('prefix: "lectern_"')
    database.exec(`DROP VIEW "TEAMS"`)
    for (const sql of createHostTables().filter((sql) => sql.includes("lecternMigrations")))
      database.exec(sql)
    requireUntouched()
  })

  it("rejects the first call of a workspace with TableNameConflict", async () => {
    const { database } = openHostDatabase()
    database.exec(`DROP TABLE "lecternMigrations"`)
    const workspace = createWorkspace({ storage: sqlite({ database }) })
    onTestFinished(() => workspace.dispose())
    await expect(
      workspace.administration.createUser({ input: { email: "ada@example.com" } })
    ).rejects.toBeInstanceOf(TableNameConflict)
  })

  it.each(["1a", 'a"b', "a-b", "sqlite_lectern", "x".repeat(64)])("rejects the prefix %j", (prefix) => {
    expect(() => sqlite({ filename: ":memory:", prefix })).toThrow(TypeError)
  })
})

describe("a shared handle", () => {
  const row = (id: string) => ({ id, parent: null, name: "" })
  const count = Effect.flatMap(RecordsAdapter, (store) => store.count(folders, { op: "all" }))
  const insert = (id: string) => Effect.flatMap(RecordsAdapter, (store) => store.insert(folders, [row(id)]))

  const run = <A, E>(database: DatabaseSync, effect: Effect.Effect<A, E, RecordsAdapter>) =>
    Effect.runPromise(
      Effect.provide(
        effect,
        SqliteStorage.layer({ database, prefix: "lectern_", migrations: createTables(tables) })
      )
    )

  it("fails each call while the host has a transaction open, and does not end that transaction", async () => {
    const { database } = openHostDatabase()
    const errors = await run(
      database,
      Effect.gen(function* () {
        yield* insert("1")
        database.exec(`BEGIN; UPDATE "users" SET "note" = 'changed' WHERE "id" = 1`)
        const store = yield* RecordsAdapter
        const errors = [
          yield* Effect.flip(count),
          yield* Effect.flip(insert("2")),
          yield* Effect.flip(store.transaction(insert("3"))),
          yield* Effect.flip(store.snapshot)
        ]
        expect(database.isTransaction).toBe(true)
        database.exec("COMMIT")
        yield* insert("4")
        expect(yield* count).toBe(2)
        return errors
      })
    )
    for (const error of errors) {
      expect(error).toBeInstanceOf(StorageUnavailable)
      expect(error).toMatchObject({ detail: expect.stringContaining("The host has a transaction open") })
    }
    expect(database.prepare(`SELECT "note" FROM "users" WHERE "id" = 1`).get()).toEqual({ note: "changed" })
  })

  it("fails at start if the host has a transaction open", async () => {
    const { database } = openHostDatabase()
    database.exec("BEGIN")
    const error = await run(database, count).catch((error: unknown) => error)
    expect(error).toMatchObject({
      _tag: "StorageUnavailable",
      detail: expect.stringContaining("The host has a transaction open")
    })
    database.exec("ROLLBACK")
    expect(await run(database, count)).toBe(0)
  })

  it("fails at start if it does not enforce foreign keys", async () => {
    const { database } = openHostDatabase({ enableForeignKeyConstraints: false })
    const error = await run(database, count).catch((error: unknown) => error)
    expect(error).toMatchObject({
      _tag: "StorageUnavailable",
      detail: expect.stringContaining("enableForeignKeyConstraints: true")
    })
  })

  it("rejects further statements of a transaction that the host ended", async () => {
    const { database } = openHostDatabase()
    const error = await run(
      database,
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const error = yield* Effect.flip(
          store.transaction(
            insert("1").pipe(
              Effect.andThen(Effect.sync(() => database.exec("ROLLBACK"))),
              Effect.andThen(insert("2"))
            )
          )
        )
        expect(yield* count).toBe(0)
        yield* insert("3")
        return error
      })
    )
    expect(error).toMatchObject({ detail: expect.stringContaining("was ended") })
  })

  it("runs runExclusively between Lectern's transactions", async () => {
    const { database } = openHostDatabase()
    await run(
      database,
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const order: Array<string> = []
        let exclusive: Promise<void> | undefined
        yield* store.transaction(
          Effect.gen(function* () {
            yield* insert("1")
            exclusive = runExclusively(database, async () => {
              order.push("host")
              database.exec(`BEGIN; UPDATE "users" SET "note" = 'exclusive' WHERE "id" = 1`)
              await new Promise((resolve) => setTimeout(resolve, 5))
              database.exec("COMMIT")
              order.push("host committed")
            })
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
            order.push("lectern")
          })
        )
        yield* insert("2")
        order.push("lectern again")
        yield* Effect.promise(() => exclusive!)
        expect(order).toEqual(["lectern", "host", "host committed", "lectern again"])
      })
    )
    expect(database.prepare(`SELECT "note" FROM "users" WHERE "id" = 1`).get()).toEqual({ note: "exclusive" })
  })

  it("rolls back in runExclusively if its function throws or leaves a transaction open", async () => {
    const { database, requireUntouched } = openHostDatabase()
    const openTransaction = `BEGIN; DELETE FROM "users"`
    const failure = new Error("no")
    await expect(
      runExclusively(database, () => {
        database.exec(openTransaction)
        throw failure
      })
    ).rejects.toBe(failure)
    await expect(runExclusively(database, () => database.exec(openTransaction))).rejects.toThrow("left open")
    expect(await runExclusively(database, () => 7)).toBe(7)
    requireUntouched()
  })
})
