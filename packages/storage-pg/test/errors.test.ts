import { PgClient } from "@effect/sql-pg"
import { RecordsAdapter, StorageConflict, StorageUnavailable } from "@lectern/core"
import { dialect, PgStorage } from "@lectern/storage-pg"
import { createTables, migrationLayer, SqlRecords } from "@lectern/storage-sql"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { describe, expect, it } from "vitest"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"
import { createDatabase } from "./support.ts"

const migrations = createTables(tables)
const anyRow = { op: "all" } as const
const folder = (id: string, name = "") => ({ id, parent: null, name })

/** Returns the layer of a store and of its client. */
const storeAndClient = (url: Redacted.Redacted<string>) =>
  SqlRecords.layer(dialect).pipe(
    Layer.provideMerge(migrationLayer(dialect, migrations)),
    Layer.provideMerge(PgClient.layer({ url, multiplex: true }))
  )

/** Runs an effect on a store in an empty database. */
const runOnEmptyStore = async <A, E>(effect: Effect.Effect<A, E, RecordsAdapter | SqlClient.SqlClient>) =>
  Effect.runPromise(Effect.provide(effect, storeAndClient(await createDatabase())))

/** Opens a store with a changed connection string and returns the error. */
const openErrorWith = async (change: (url: URL) => void) => {
  const url = new URL(Redacted.value(await createDatabase()))
  change(url)
  const layer = PgStorage.layer({ url: Redacted.make(url.toString()), migrations })
  return Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(layer))))
}

/** Opens a store, terminates its connection while it waits for the lock of migrations, and returns how it ends. */
const openWhileTerminated = async () => {
  const url = await createDatabase()
  // In a transaction, all reads of the activity return that of the first one.
  const [other, terminator] = [new pg.Client(Redacted.value(url)), new pg.Client(Redacted.value(url))]
  await Promise.all([other.connect(), terminator.connect()])
  try {
    await other.query("BEGIN")
    await other.query(dialect.lockMigrations!)
    const opening = Effect.runPromiseExit(Effect.scoped(Layer.build(PgStorage.layer({ url, migrations }))))
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'`
    while ((await terminator.query(terminate)).rowCount === 0)
      await new Promise((resolve) => setTimeout(resolve, 5))
    return await opening
  } finally {
    await Promise.all([other.end(), terminator.end()])
  }
}

/** Runs an effect on another connection to the database. */
const onOtherConnection = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.provide(effect, PgClient.layer((sql as PgClient.PgClient).config))
  )

/** Terminates every other connection to the database, as a server restart does, and waits until each has ended. */
const terminateConnections = onOtherConnection(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  )
)

/** Waits for a few ticks of the event loop, in which the driver notices that its connections have ended. */
const waitForDriver = Effect.promise(async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** Waits until a statement that begins with this text runs on another connection. */
const waitUntilRunning = (statement: string) =>
  onOtherConnection(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<{
        running: number
      }>`SELECT count(*)::int AS running FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE ${`${statement}%`}`.pipe(
        Effect.repeat({ until: ([row]) => row!.running > 0 })
      )
    )
  )

it("fails with StorageUnavailable if the connection is lost while a store opens", async () => {
  const exit = await openWhileTerminated()
  expect(
    Exit.isFailure(exit) && exit.cause.reasons.map((reason) => Cause.isFailReason(reason) && reason.error)
  ).toEqual([expect.objectContaining({ _tag: "StorageUnavailable", reason: "Unreachable" })])
})

describe("PostgreSQL fails with StorageUnavailable", () => {
  it("if no server listens", async () => {
    const error = await openErrorWith((url) => {
      url.port = "1"
    })
    expect(error).toBeInstanceOf(StorageUnavailable)
  })

  it("if the password is wrong, without the password in the error", async () => {
    const error = await openErrorWith((url) => {
      url.password = "wrong"
    })
    expect(error).toBeInstanceOf(StorageUnavailable)
    expect(String(error)).not.toContain("wrong")
  })

  it("if the database does not exist", async () => {
    const error = await openErrorWith((url) => {
      url.pathname = "/nowhere"
    })
    expect(error).toBeInstanceOf(StorageUnavailable)
  })

  it("if the connection is lost in a transaction, and uses a new connection for the next one", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const insert = store.insert(folders, [folder("1")])
        const transaction = store.transaction(
          Effect.andThen(
            insert,
            Effect.andThen(Effect.orDie(terminateConnections), store.count(folders, anyRow))
          )
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, anyRow)).toBe(0)
        yield* store.transaction(insert)
      })
    ))

  it("if the connection is lost before a commit", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const transaction = store.transaction(
          Effect.andThen(store.insert(folders, [folder("1")]), Effect.orDie(terminateConnections))
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, anyRow)).toBe(0)
      })
    ))

  it("if the connection is lost before a rollback", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const transaction = store.transaction(
          Effect.andThen(
            store.insert(folders, [folder("1")]),
            Effect.andThen(Effect.orDie(terminateConnections), Effect.fail("no"))
          )
        )
        expect(yield* Effect.flip(transaction)).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, anyRow)).toBe(0)
      })
    ))

  it("but not if the connection is lost between two queries: the second uses a new one", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1")])
        yield* terminateConnections
        yield* waitForDriver
        expect(yield* store.count(folders, anyRow)).toBe(1)
      })
    ))

  it("if a statement exceeds its timeout", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        // Only for this transaction: statements of others must not time out.
        const error = yield* Effect.flip(
          sql.withTransaction(Effect.andThen(sql`SET LOCAL statement_timeout = 50`, sql`SELECT pg_sleep(60)`))
        )
        expect(dialect.classify(error)).toBe("DeadlineExceeded")
      })
    ))

  it("with the reason ReadOnly if the server accepts no writes", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* RecordsAdapter
        const write = Effect.andThen(
          Effect.orDie(sql`SET TRANSACTION READ ONLY`),
          store.insert(folders, [folder("1")])
        )
        expect(yield* Effect.flip(store.transaction(write))).toMatchObject({
          _tag: "StorageUnavailable",
          reason: "ReadOnly"
        })
      })
    ))
})

describe("concurrent transactions in PostgreSQL", () => {
  it("fail with StorageConflict if each reads rows that the other writes", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1", "on"), folder("2", "on")])
        const ready = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
        const countAndUpdate = (own: 0 | 1) =>
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
        const exits = yield* Effect.all([Effect.exit(countAndUpdate(0)), Effect.exit(countAndUpdate(1))], {
          concurrency: "unbounded"
        })
        const errors = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
        expect(errors).toEqual([new StorageConflict()])
      })
    ))

  it("fail with StorageConflict if they deadlock", () =>
    runOnEmptyStore(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        yield* store.insert(folders, [folder("1"), folder("2")])
        const updateFolder = (value: string) =>
          store.update(folders, { op: "eq", column: "id", value }, { set: { name: "x" }, add: {} })
        const updated = { 1: yield* Deferred.make<void>(), 2: yield* Deferred.make<void>() }
        const updateBoth = (first: 1 | 2, second: 1 | 2) =>
          store.transaction(
            updateFolder(String(first)).pipe(
              Effect.andThen(Deferred.succeed(updated[first], undefined)),
              Effect.andThen(Deferred.await(updated[second])),
              Effect.andThen(updateFolder(String(second)))
            )
          )
        const exits = yield* Effect.all([Effect.exit(updateBoth(1, 2)), Effect.exit(updateBoth(2, 1))], {
          concurrency: "unbounded"
        })
        const errors = exits.filter(Exit.isFailure).map(({ cause }) => Cause.squash(cause))
        expect(errors).toEqual([new StorageConflict()])
      })
    ))
})

it("PostgreSQL reports a missing table as a defect", async () => {
  const layer = PgStorage.layer({ url: await createDatabase(), migrations: [] })
  const insert = Effect.flatMap(RecordsAdapter, (store) => store.insert(folders, [folder("1")]))
  const exit = await Effect.runPromise(Effect.exit(Effect.provide(insert, layer)))
  expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
})

it("interrupting a statement in a transaction rolls it back and leaves a usable connection", () =>
  runOnEmptyStore(
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const sql = yield* SqlClient.SqlClient
      const slowTransaction = store.transaction(
        Effect.andThen(store.insert(folders, [folder("1")]), Effect.orDie(sql`SELECT pg_sleep(30)`))
      )
      for (let round = 0; round < 15; round++) {
        const fiber = yield* Effect.forkChild(slowTransaction)
        yield* waitUntilRunning("SELECT pg_sleep")
        yield* Fiber.interrupt(fiber)
      }
      expect(yield* store.count(folders, anyRow)).toBe(0)
      yield* store.transaction(store.insert(folders, [folder("1")]))
    })
  ))

it("PostgreSQL accepts 70,000 values and rows, and 5,000 conditions", () =>
  runOnEmptyStore(
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
