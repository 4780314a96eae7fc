/** Lectern in the database of a host: with a prefix, over its own connections or the host's handle. */
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
  useTwoWorkspaces,
  useWorkspace
} from "../../storage-sql/test/support/embedding.ts"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-embedding-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

/** A database of a host, with tables that have the names of Lectern's. */
const hostDatabase = (options: DatabaseSyncOptions = {}) => {
  const filename = join(folder, `${files++}.db`)
  const database = new DatabaseSync(filename, options)
  for (const statement of createHostTables()) database.exec(statement)
  const statementsOfHost = () => {
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
  const before = statementsOfHost()
  return {
    filename,
    database,
    /** Fails unless everything without Lectern's prefix is what the host created. */
    requireUntouched: () => {
      const after = statementsOfHost()
      expect(after).toEqual(before)
      for (const rows of after.tables) expect(rows.map((row) => ({ ...row }))).toEqual(hostRows)
    }
  }
}

const open = (options?: DatabaseSyncOptions) => {
  const host = hostDatabase(options)
  onTestFinished(() => {
    if (host.database.isOpen) host.database.close()
  })
  return host
}

describe("beside the tables of a host", () => {
  const { filename, requireUntouched } = hostDatabase()
  // The handle has defaults that Lectern does not, and a journal that blocks readers while it is written.
  const shared = hostDatabase({ readBigInts: true, returnArrays: true })
  afterAll(() => shared.database.close())

  storageConformance("SQLite with a prefix", (tables) =>
    SqliteStorage.layer({ filename, prefix: "lectern_", migrations: createTables(tables) })
  )
  storageConformance("SQLite with a prefix over the host's handle", (tables) =>
    SqliteStorage.layer({ database: shared.database, prefix: "Lectern_", migrations: createTables(tables) })
  )

  it("the conformance tests leave the host's tables as they were", () => {
    requireUntouched()
    shared.requireUntouched()
  })

  it("the conformance tests leave the host's handle open and without a transaction", () => {
    expect([shared.database.isOpen, shared.database.isTransaction]).toEqual([true, false])
  })
})

describe("a workspace", () => {
  it("lives in the file of a host", async () => {
    const { filename, requireUntouched } = open()
    await useWorkspace(sqlite({ filename, prefix: "lectern_" }))
    requireUntouched()
  })

  it("shares the handle of a host, which stays open", async () => {
    const { database, requireUntouched } = open()
    await useWorkspace(sqlite({ database, prefix: "lectern_" }))
    requireUntouched()
    expect(database.isOpen).toBe(true)
  })

  it.each(["filename", "database"] as const)("is beside another with another prefix, by %s", async (by) => {
    const { filename, database, requireUntouched } = open()
    const storeOf = (prefix: string) =>
      sqlite(by === "filename" ? { filename, prefix } : { database, prefix })
    await useTwoWorkspaces(storeOf("lectern_one_"), storeOf("lectern_two_"))
    requireUntouched()
  })

  it("is opened by a plain string, and by a handle without a prefix", async () => {
    await useWorkspace(sqlite(join(folder, `${files++}.db`)))
    const database = new DatabaseSync(":memory:")
    await useWorkspace(sqlite({ database }))
    database.close()
  })

  it("has the tables that it declares, with its prefix", async () => {
    const { filename } = open()
    await Effect.runPromise(Effect.scoped(Layer.build(sqlite({ filename, prefix: "lectern_" }))))
    const differences = verifySchema(createDialect({ prefix: "LECTERN_" }), workspaceTables)
    const client = SqliteClient.layer({ filename })
    expect(await Effect.runPromise(Effect.provide(differences, client))).toEqual([])
  })
})

describe("a conflict of names", () => {
  it("fails at start, names the tables and the option, and changes nothing", async () => {
    const { filename, database, requireUntouched } = open()
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

  it("rejects the first call of a workspace", async () => {
    const { database } = open()
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

describe("the handle of a host", () => {
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

  it("with an open transaction of the host fails each call, and the transaction stays the host's", async () => {
    const { database } = open()
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

  it("with an open transaction of the host fails at start", async () => {
    const { database } = open()
    database.exec("BEGIN")
    const error = await run(database, count).catch((error: unknown) => error)
    expect(error).toMatchObject({
      _tag: "StorageUnavailable",
      detail: expect.stringContaining("The host has a transaction open")
    })
    database.exec("ROLLBACK")
    expect(await run(database, count)).toBe(0)
  })

  it("that does not enforce foreign keys fails at start", async () => {
    const { database } = open({ enableForeignKeyConstraints: false })
    const error = await run(database, count).catch((error: unknown) => error)
    expect(error).toMatchObject({
      _tag: "StorageUnavailable",
      detail: expect.stringContaining("enableForeignKeyConstraints: true")
    })
  })

  it("whose host ends a transaction of Lectern's stores nothing of what follows", async () => {
    const { database } = open()
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

  it("is the host's alone during runExclusively, which waits for Lectern's transaction", async () => {
    const { database } = open()
    await run(
      database,
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const seen: Array<string> = []
        let exclusive: Promise<void> | undefined
        yield* store.transaction(
          Effect.gen(function* () {
            yield* insert("1")
            exclusive = runExclusively(database, async () => {
              seen.push("host")
              database.exec(`BEGIN; UPDATE "users" SET "note" = 'exclusive' WHERE "id" = 1`)
              await new Promise((resolve) => setTimeout(resolve, 5))
              database.exec("COMMIT")
              seen.push("host committed")
            })
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
            seen.push("lectern")
          })
        )
        yield* insert("2")
        seen.push("lectern again")
        yield* Effect.promise(() => exclusive!)
        expect(seen).toEqual(["lectern", "host", "host committed", "lectern again"])
      })
    )
    expect(database.prepare(`SELECT "note" FROM "users" WHERE "id" = 1`).get()).toEqual({ note: "exclusive" })
  })

  it("is rolled back by runExclusively if its function fails or leaves a transaction open", async () => {
    const { database, requireUntouched } = open()
    const change = `BEGIN; DELETE FROM "users"`
    const failure = new Error("no")
    await expect(
      runExclusively(database, () => {
        database.exec(change)
        throw failure
      })
    ).rejects.toBe(failure)
    await expect(runExclusively(database, () => database.exec(change))).rejects.toThrow("left open")
    expect(await runExclusively(database, () => 7)).toBe(7)
    requireUntouched()
  })
})
