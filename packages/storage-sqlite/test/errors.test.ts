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

const on = <A, E>(filename: string, effect: Effect.Effect<A, E, RecordsAdapter>) =>
  Effect.runPromise(Effect.provide(effect, SqliteStorage.layer({ filename, migrations })))

const openFails = (filename: string) =>
  Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(SqliteStorage.layer({ filename, migrations })))))

const everything = { where: { op: "all" }, orderBy: [], direction: "asc" } as const
const insert = Effect.flatMap(RecordsAdapter, (store) =>
  store.insert(folders, [{ id: "1", parent: null, name: "a" }])
)

describe("a SQLite file that cannot be used is StorageUnavailable", () => {
  it("where it is a folder", () =>
    withFile(async (filename) =>
      expect(await openFails(dirname(filename))).toBeInstanceOf(StorageUnavailable)
    ))

  it("where its parent folder cannot be created", () =>
    withFile(async (filename) => {
      await writeFile(filename, "")
      expect(await openFails(`${filename}/below/it.db`)).toBeInstanceOf(StorageUnavailable)
    }))

  it("where it is no SQLite file", () =>
    withFile(async (filename) => {
      await writeFile(filename, "no database, and longer than the header of one would be ".repeat(50))
      expect(await openFails(filename)).toBeInstanceOf(StorageUnavailable)
    }))

  it("where it was closed", () =>
    withFile(async (filename) => {
      const store = await on(filename, RecordsAdapter)
      const error = await Effect.runPromise(Effect.flip(store.find(folders, everything)))
      expect(error).toBeInstanceOf(StorageUnavailable)
      const transaction = store.transaction(store.find(folders, everything))
      expect(await Effect.runPromise(Effect.flip(transaction))).toBeInstanceOf(StorageUnavailable)
    }))
})

describe("another process that writes to a SQLite file", () => {
  const blocked = async <A>(filename: string, use: (other: DatabaseSync) => Promise<A>): Promise<A> => {
    const other = new DatabaseSync(filename)
    other.exec("BEGIN IMMEDIATE")
    try {
      return await use(other)
    } finally {
      other.close()
    }
  }

  it("blocks neither reads nor the event loop, and writes wait for it", () =>
    withFile((filename) =>
      on(
        filename,
        Effect.gen(function* () {
          const store = yield* RecordsAdapter
          yield* Effect.promise(() =>
            blocked(filename, async (other) => {
              const writing = Effect.runPromise(Effect.provideService(insert, RecordsAdapter, store))
              expect(await Effect.runPromise(store.find(folders, everything))).toEqual([])
              // The other process commits only after turns of the event loop, which goes on while the write waits.
              for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
              other.exec("COMMIT")
              await writing
            })
          )
          expect(yield* store.count(folders, everything.where)).toBe(1)
        })
      )
    ))

  it("is StorageUnavailable after 2 s for all concurrent writes together", () =>
    withFile((filename) =>
      on(
        filename,
        Effect.gen(function* () {
          const store = yield* RecordsAdapter
          yield* Effect.promise(() =>
            blocked(filename, async () => {
              vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
              onTestFinished(() => void vi.useRealTimers())
              const errors: Array<unknown> = []
              const insertion = Effect.flip(Effect.provideService(insert, RecordsAdapter, store))
              const writing = Array.from({ length: 10 }, async () =>
                errors.push(await Effect.runPromise(insertion))
              )
              await vi.advanceTimersByTimeAsync(1_900)
              expect(errors).toEqual([])
              // Writes that waited one after another would take 20 s.
              await vi.advanceTimersByTimeAsync(200)
              await Promise.all(writing)
              vi.useRealTimers()
              for (const error of errors) expect(error).toBeInstanceOf(StorageUnavailable)
            })
          )
          yield* insert
        })
      )
    ))
})

describe("a programming error is a defect in SQLite", () => {
  it("such as a table that does not exist", async () => {
    const layer = SqliteStorage.layer({ filename: ":memory:", migrations: [] })
    const exit = await Effect.runPromise(Effect.exit(Effect.provide(insert, layer)))
    expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
  })
})

it("SQLite accepts any number of conditions and rows", () =>
  on(
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
