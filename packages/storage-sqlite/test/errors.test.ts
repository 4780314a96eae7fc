import { writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { RecordsAdapter, StorageUnavailable } from "@lectern/core"
import { createTables } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Cause, Effect, Exit, Layer } from "effect"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"
import { withFile } from "./support/withFile.ts"

const migrations = createTables(tables)

const runOn = <A, E>(filename: string, effect: Effect.Effect<A, E, RecordsAdapter>) =>
  Effect.runPromise(Effect.provide(effect, SqliteStorage.layer({ filename, migrations })))

const openError = (filename: string) =>
  Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(SqliteStorage.layer({ filename, migrations })))))

const findAll = { where: { op: "all" }, orderBy: [], direction: "asc" } as const
const insertFolder = (id: string) =>
  Effect.flatMap(RecordsAdapter, (store) => store.insert(folders, [{ id, parent: null, name: id }]))
const insert = insertFolder("1")

describe("opening a SQLite file fails with StorageUnavailable", () => {
  it("if it is a folder", () =>
    withFile(async (filename) =>
      expect(await openError(dirname(filename))).toBeInstanceOf(StorageUnavailable)
    ))

  it("if its parent folder cannot be created", () =>
    withFile(async (filename) => {
      await writeFile(filename, "")
      expect(await openError(`${filename}/below/it.db`)).toBeInstanceOf(StorageUnavailable)
    }))

  it("if it is not a SQLite file", () =>
    withFile(async (filename) => {
      await writeFile(filename, "not a database, and longer than the header of one ".repeat(50))
      expect(await openError(filename)).toBeInstanceOf(StorageUnavailable)
    }))

  it("if it has been closed", () =>
    withFile(async (filename) => {
      const store = await runOn(filename, RecordsAdapter)
      const error = await Effect.runPromise(Effect.flip(store.find(folders, findAll)))
      expect(error).toBeInstanceOf(StorageUnavailable)
      const transaction = store.transaction(store.find(folders, findAll))
      expect(await Effect.runPromise(Effect.flip(transaction))).toBeInstanceOf(StorageUnavailable)
    }))
})

describe("a write to a SQLite database fails with the reason ReadOnly", () => {
  const writeErrorAfter = (statement: string) => {
    const database = new DatabaseSync(":memory:")
    const write = Effect.andThen(
      Effect.sync(() => database.exec(statement)),
      Effect.flip(Effect.forEach(Array.from({ length: 1_000 }), (_, id) => insertFolder(String(id))))
    )
    return Effect.runPromise(
      Effect.provide(write, SqliteStorage.layer({ database, prefix: "", migrations }))
    ).finally(() => database.close())
  }

  it("if the database is read-only", async () =>
    expect(await writeErrorAfter("PRAGMA query_only = ON")).toMatchObject({
      _tag: "StorageUnavailable",
      reason: "ReadOnly"
    }))

  // SQLite replaces a limit below the current size by that size: only the free space of existing pages is left.
  it("if it cannot grow, as on a full disk", async () =>
    expect(await writeErrorAfter("PRAGMA max_page_count = 1")).toMatchObject({
      _tag: "StorageUnavailable",
      reason: "ReadOnly"
    }))
})

describe("while another process writes to a SQLite file", () => {
  const withWriteLock = async <A>(filename: string, use: (other: DatabaseSync) => Promise<A>): Promise<A> => {
    const other = new DatabaseSync(filename)
    other.exec("BEGIN IMMEDIATE")
    try {
      return await use(other)
    } finally {
      other.close()
    }
  }

  it("reads succeed, and writes wait without blocking the event loop", () =>
    withFile((filename) =>
      runOn(
        filename,
        Effect.gen(function* () {
          const store = yield* RecordsAdapter
          yield* Effect.promise(() =>
            withWriteLock(filename, async (other) => {
              const writing = Effect.runPromise(Effect.provideService(insert, RecordsAdapter, store))
              expect(await Effect.runPromise(store.find(folders, findAll))).toEqual([])
              // The other process commits after several ticks of the event loop, which the waiting write must not
              // block.
              for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
              other.exec("COMMIT")
              await writing
            })
          )
          expect(yield* store.count(folders, findAll.where)).toBe(1)
        })
      )
    ))

  it("concurrent writes share a timeout of 2 s, and then fail with the reason Contention", () =>
    withFile((filename) =>
      runOn(
        filename,
        Effect.gen(function* () {
          const store = yield* RecordsAdapter
          yield* Effect.promise(() =>
            withWriteLock(filename, async () => {
              vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
              onTestFinished(() => void vi.useRealTimers())
              const errors: Array<unknown> = []
              const insertion = Effect.flip(Effect.provideService(insert, RecordsAdapter, store))
              const writing = Array.from({ length: 10 }, async () =>
                errors.push(await Effect.runPromise(insertion))
              )
              await vi.advanceTimersByTimeAsync(1_900)
              expect(errors).toEqual([])
              // Ten writes with a timeout each would take 20 s.
              await vi.advanceTimersByTimeAsync(200)
              await Promise.all(writing)
              vi.useRealTimers()
              for (const error of errors) {
                expect(error).toMatchObject({ _tag: "StorageUnavailable", reason: "Contention" })
              }
            })
          )
          yield* insert
        })
      )
    ))
})

it("SQLite reports a missing table as a defect", async () => {
  const layer = SqliteStorage.layer({ filename: ":memory:", migrations: [] })
  const exit = await Effect.runPromise(Effect.exit(Effect.provide(insert, layer)))
  expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
})

it("SQLite accepts 70,000 values and rows, and 5,000 conditions", () =>
  runOn(
    ":memory:",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const ids = Array.from({ length: 70_000 }, (_, index) => `${index}`)
      yield* store.insert(
        folders,
        ids.map((id) => ({ id, parent: null, name: "" }))
      )
      expect(yield* store.count(folders, { op: "in", column: "id", values: ids })).toBe(70_000)
      const conditions = ids.slice(0, 5_000).map((value) => ({ op: "eq", column: "id", value }) as const)
      expect(yield* store.count(folders, { op: "or", conditions })).toBe(5_000)
    })
  ))
