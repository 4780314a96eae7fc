import { writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { RecordsAdapter, StorageUnavailable } from "@lectern/core"
import { createTables } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Cause, Effect, Exit, Layer } from "effect"
import { describe, expect, it } from "vitest"
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

  it("where a folder above it cannot be made", () =>
    withFile(async (filename) => {
      await writeFile(filename, "")
      expect(await openFails(`${filename}/below/it.db`)).toBeInstanceOf(StorageUnavailable)
    }))

  it("where it is something else", () =>
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

  it("does not keep anyone from reading, nor the thread from going on, and is waited for", () =>
    withFile((filename) =>
      on(
        filename,
        Effect.gen(function* () {
          const store = yield* RecordsAdapter
          yield* Effect.promise(() =>
            blocked(filename, async (other) => {
              let turns = 0
              const counter = setInterval(() => turns++, 1)
              setTimeout(() => other.exec("COMMIT"), 200)
              const writing = Effect.runPromise(Effect.provideService(insert, RecordsAdapter, store))
              expect(await Effect.runPromise(store.find(folders, everything))).toEqual([])
              await writing
              clearInterval(counter)
              expect(turns).toBeGreaterThan(20)
            })
          )
          expect(yield* store.count(folders, everything.where)).toBe(1)
        })
      )
    ))

  it("is StorageUnavailable when it takes too long, for all who wait together", () =>
    withFile((filename) =>
      on(
        filename,
        Effect.gen(function* () {
          const store = yield* RecordsAdapter
          yield* Effect.promise(() =>
            blocked(filename, async () => {
              const started = performance.now()
              const insertion = Effect.flip(Effect.provideService(insert, RecordsAdapter, store))
              const errors = await Promise.all(Array.from({ length: 10 }, () => Effect.runPromise(insertion)))
              for (const error of errors) expect(error).toBeInstanceOf(StorageUnavailable)
              const waited = performance.now() - started
              expect(waited).toBeGreaterThan(1_900)
              // Ten times two seconds it would be, if each waited for itself.
              expect(waited).toBeLessThan(10_000)
            })
          )
          yield* insert
        })
      )
    ))
})

describe("a mistake of ours is a defect in SQLite", () => {
  it("as a table that is not there", async () => {
    const layer = SqliteStorage.layer({ filename: ":memory:", migrations: [] })
    const exit = await Effect.runPromise(Effect.exit(Effect.provide(insert, layer)))
    expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
  })
})

it("SQLite takes conditions and rows of any number", () =>
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
