import { PgClient } from "@effect/sql-pg"
import { RecordsAdapter, StorageConflict, StorageUnavailable } from "@lectern/core"
import { dialect, PgStorage } from "@lectern/storage-pg"
import { createTables, migrated, SqlRecords } from "@lectern/storage-sql"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe, expect, it } from "vitest"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"
import { database } from "./support.ts"

const migrations = createTables(tables)
const all = { op: "all" } as const
const folder = (id: string, name = "") => ({ id, parent: null, name })

/** A store, and the client below it. */
const open = (url: Redacted.Redacted<string>) =>
  SqlRecords.layer(dialect).pipe(
    Layer.provideMerge(migrated(dialect, migrations)),
    Layer.provideMerge(PgClient.layer({ url, multiplex: true }))
  )

const on = async <A, E>(effect: Effect.Effect<A, E, RecordsAdapter | SqlClient.SqlClient>, options = "") => {
  const url = Redacted.make(Redacted.value(await database()) + options)
  return Effect.runPromise(Effect.provide(effect, open(url)))
}

const changed = async (change: (url: URL) => void) => {
  const url = new URL(Redacted.value(await database()))
  change(url)
  const layer = PgStorage.layer({ url: Redacted.make(url.toString()), migrations })
  return Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(layer))))
}

/** Ends every other connection to the database, as a restart of the server would. */
const cutOff = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.provide(
    Effect.flatMap(
      SqlClient.SqlClient,
      (other) =>
        other`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
    ),
    PgClient.layer((sql as PgClient.PgClient).config)
  )
)

describe("a PostgreSQL that cannot be reached is StorageUnavailable", () => {
  it("where no server listens", async () => {
    const error = await changed((url) => {
      url.port = "1"
    })
    expect(error).toBeInstanceOf(StorageUnavailable)
  })

  it("where the password is wrong", async () => {
    const error = await changed((url) => {
      url.password = "wrong"
    })
    expect(error).toBeInstanceOf(StorageUnavailable)
    expect(String(error)).not.toContain("wrong")
  })

  it("where there is no such database", async () => {
    const error = await changed((url) => {
      url.pathname = "/nowhere"
    })
    expect(error).toBeInstanceOf(StorageUnavailable)
  })

  it("while a transaction runs, and then comes back", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const insert = store.insert(folders, [folder("1")])
        const transaction = store.transaction(
          Effect.andThen(insert, Effect.andThen(Effect.orDie(cutOff), store.count(folders, all)))
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, all)).toBe(0)
        yield* store.transaction(insert)
      })
    ))

  it("when it comes to commit", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const transaction = store.transaction(
          Effect.andThen(store.insert(folders, [folder("1")]), Effect.orDie(cutOff))
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, all)).toBe(0)
      })
    ))

  it("when a transaction that failed comes to roll back", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const transaction = store.transaction(
          Effect.andThen(
            store.insert(folders, [folder("1")]),
            Effect.andThen(Effect.orDie(cutOff), Effect.fail("no"))
          )
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, all)).toBe(0)
      })
    ))

  it("between two look-ups, without anyone noticing", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1")])
        yield* cutOff
        yield* Effect.sleep("50 millis")
        expect(yield* store.count(folders, all)).toBe(1)
      })
    ))

  it("when a statement takes longer than it may", () =>
    on(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const error = yield* Effect.flip(sql`SELECT pg_sleep(5)`)
        expect(dialect.classify(error)).toBe("Unavailable")
      }),
      "?options=-c%20statement_timeout%3D50"
    ))
})

describe("transactions that meet in PostgreSQL", () => {
  it("are a conflict where the one comes to commit", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1", "on"), folder("2", "on")])
        const ready = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
        const leave = (own: 0 | 1) =>
          store.transaction(
            Effect.gen(function* () {
              yield* store.count(folders, { op: "eq", column: "name", value: "on" })
              yield* store.update(
                folders,
                { op: "eq", column: "id", value: own === 0 ? "1" : "2" },
                { set: { name: "off" }, add: {} }
              )
              yield* Deferred.succeed(ready[own], undefined)
              yield* Deferred.await(ready[own === 0 ? 1 : 0])
            })
          )
        const exits = yield* Effect.all([Effect.exit(leave(0)), Effect.exit(leave(1))], {
          concurrency: "unbounded"
        })
        const errors = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
        expect(errors).toEqual([new StorageConflict()])
      })
    ))

  it("are a conflict where they wait for each other", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1"), folder("2")])
        const touch = (value: string) =>
          store.update(folders, { op: "eq", column: "id", value }, { set: { name: "x" }, add: {} })
        const both = (first: string, second: string) =>
          store.transaction(
            Effect.andThen(touch(first), Effect.andThen(Effect.sleep("50 millis"), touch(second)))
          )
        const exits = yield* Effect.all([Effect.exit(both("1", "2")), Effect.exit(both("2", "1"))], {
          concurrency: "unbounded"
        })
        const errors = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
        expect(errors).toEqual([new StorageConflict()])
      })
    ))
})

it("a mistake of ours is a defect in PostgreSQL", async () => {
  const layer = PgStorage.layer({ url: await database(), migrations: [] })
  const insert = Effect.flatMap(RecordsAdapter, (store) => store.insert(folders, [folder("1")]))
  const exit = await Effect.runPromise(Effect.exit(Effect.provide(insert, layer)))
  expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
})

it("a statement that is interrupted in a transaction leaves a connection that works", () =>
  on(
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const sql = yield* SqlClient.SqlClient
      const slow = store.transaction(
        Effect.andThen(store.insert(folders, [folder("1")]), Effect.orDie(sql`SELECT pg_sleep(30)`))
      )
      for (let i = 0; i < 15; i++) {
        const fiber = yield* Effect.forkChild(slow)
        yield* Effect.sleep("20 millis")
        yield* Fiber.interrupt(fiber)
      }
      expect(yield* store.count(folders, all)).toBe(0)
      yield* store.transaction(store.insert(folders, [folder("1")]))
    })
  ))

it("PostgreSQL takes conditions and rows of any number", () =>
  on(
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const ids = Array.from({ length: 70_000 }, (_, index) => `${index}`)
      yield* store.insert(
        folders,
        ids.map((id) => folder(id))
      )
      expect(yield* store.count(folders, { op: "in", column: "id", values: ids })).toBe(70_000)
      const conditions = ids.slice(0, 5_000).map((value) => ({ op: "eq", column: "id", value }) as const)
      expect(yield* store.count(folders, { op: "or", conditions })).toBe(5_000)
    })
  ))
