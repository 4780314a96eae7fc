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

const on = async <A, E>(effect: Effect.Effect<A, E, RecordsAdapter | SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provide(effect, open(await database())))

const changed = async (change: (url: URL) => void) => {
  const url = new URL(Redacted.value(await database()))
  change(url)
  const layer = PgStorage.layer({ url: Redacted.make(url.toString()), migrations })
  return Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(layer))))
}

/** Runs an effect on another connection to the database. */
const onOtherConnection = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.provide(effect, PgClient.layer((sql as PgClient.PgClient).config))
  )

/** Ends every other connection to the database, as a restart of the server would, and waits until each has ended. */
const endConnections = onOtherConnection(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  )
)

/** Turns of the event loop, in which a client reads that its connections have ended. */
const eventLoopTurns = Effect.promise(async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** Waits until a statement that begins with this text runs on another connection. */
const untilItRuns = (statement: string) =>
  onOtherConnection(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<{
        running: number
      }>`SELECT count(*)::int AS running FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE ${`${statement}%`}`.pipe(
        Effect.repeat({ until: ([row]) => row!.running > 0 })
      )
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

  it("where the connection ends in a transaction, and the next transaction has another one", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const insert = store.insert(folders, [folder("1")])
        const transaction = store.transaction(
          Effect.andThen(insert, Effect.andThen(Effect.orDie(endConnections), store.count(folders, all)))
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, all)).toBe(0)
        yield* store.transaction(insert)
      })
    ))

  it("where the connection ends before a commit", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const transaction = store.transaction(
          Effect.andThen(store.insert(folders, [folder("1")]), Effect.orDie(endConnections))
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, all)).toBe(0)
      })
    ))

  it("where the connection ends before a rollback", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const transaction = store.transaction(
          Effect.andThen(
            store.insert(folders, [folder("1")]),
            Effect.andThen(Effect.orDie(endConnections), Effect.fail("no"))
          )
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, all)).toBe(0)
      })
    ))

  it("but not where the connection ends between two queries: the second has another one", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1")])
        yield* endConnections
        yield* eventLoopTurns
        expect(yield* store.count(folders, all)).toBe(1)
      })
    ))

  it("where a statement exceeds its timeout", () =>
    on(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // For this statement alone: the others have the time that they need.
        const error = yield* Effect.flip(
          sql.withTransaction(Effect.andThen(sql`SET LOCAL statement_timeout = 50`, sql`SELECT pg_sleep(60)`))
        )
        expect(dialect.classify(error)).toBe("Unavailable")
      })
    ))
})

describe("concurrent transactions in PostgreSQL", () => {
  it("conflict where one reads what the other writes", () =>
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

  it("conflict where they wait for each other", () =>
    on(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1"), folder("2")])
        const touch = (value: string) =>
          store.update(folders, { op: "eq", column: "id", value }, { set: { name: "x" }, add: {} })
        const hasTouched = { 1: yield* Deferred.make<void>(), 2: yield* Deferred.make<void>() }
        const touchBoth = (first: 1 | 2, second: 1 | 2) =>
          store.transaction(
            touch(String(first)).pipe(
              Effect.andThen(Deferred.succeed(hasTouched[first], undefined)),
              Effect.andThen(Deferred.await(hasTouched[second])),
              Effect.andThen(touch(String(second)))
            )
          )
        const exits = yield* Effect.all([Effect.exit(touchBoth(1, 2)), Effect.exit(touchBoth(2, 1))], {
          concurrency: "unbounded"
        })
        const errors = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
        expect(errors).toEqual([new StorageConflict()])
      })
    ))
})

it("a programming error is a defect in PostgreSQL", async () => {
  const layer = PgStorage.layer({ url: await database(), migrations: [] })
  const insert = Effect.flatMap(RecordsAdapter, (store) => store.insert(folders, [folder("1")]))
  const exit = await Effect.runPromise(Effect.exit(Effect.provide(insert, layer)))
  expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
})

it("interrupting a statement in a transaction leaves a usable connection", () =>
  on(
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const sql = yield* SqlClient.SqlClient
      const slow = store.transaction(
        Effect.andThen(store.insert(folders, [folder("1")]), Effect.orDie(sql`SELECT pg_sleep(30)`))
      )
      for (let round = 0; round < 15; round++) {
        const fiber = yield* Effect.forkChild(slow)
        yield* untilItRuns("SELECT pg_sleep")
        yield* Fiber.interrupt(fiber)
      }
      expect(yield* store.count(folders, all)).toBe(0)
      yield* store.transaction(store.insert(folders, [folder("1")]))
    })
  ))

it("PostgreSQL accepts any number of conditions and rows", () =>
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
