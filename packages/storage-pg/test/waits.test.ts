/** No wait on the database is unlimited: for a connection, for a lock, for a statement, for a lost connection. */
import { RecordsAdapter, type StorageUnavailable } from "@lectern/core"
import { PgStorage, type PostgresOptions } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Effect, Fiber, Layer, Redacted } from "effect"
import pg from "pg"
import { describe, expect, it, onTestFinished } from "vitest"
import { files, folders, tables } from "../../storage-sql/test/support/tables.ts"
import { startFakePooler, startProxy } from "./support/serverProxy.ts"
import { createDatabase } from "./support.ts"

const everyRow = { op: "all" } as const
const folder = (id: string) => ({ id, parent: null, name: "" })
const migrations = createTables(tables)

type Options = Partial<Extract<PostgresOptions, { url: unknown }>>

/** Creates a database with the tables, and a connection of another program to it. */
const createTablesAndClient = async () => {
  const url = Redacted.value(await createDatabase())
  await Effect.runPromise(Effect.scoped(Layer.build(PgStorage.layer({ url, migrations }))))
  const other = new pg.Client({ connectionString: url })
  other.on("error", () => {})
  await other.connect()
  onTestFinished(() => other.end())
  return { url, other }
}

const withStore = <A, E>(
  url: string,
  options: Options,
  use: (store: RecordsAdapter["Service"]) => Effect.Effect<A, E>
): Promise<A> =>
  Effect.runPromise(
    Effect.flatMap(RecordsAdapter, use).pipe(
      Effect.provide(PgStorage.layer({ migrations, ...options, url }))
    ) as Effect.Effect<A>
  )

/** Locks a table on another connection. Returns the function that unlocks it. */
const lockTable = async (other: pg.Client, table: string) => {
  await other.query("BEGIN")
  await other.query(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`)
  return () => other.query("COMMIT")
}

const reasonOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => (error as unknown as StorageUnavailable).reason)

/** Counts the statements of others that wait for a lock. */
const countWaiting = async (other: pg.Client): Promise<number> => {
  const { rows } = await other.query<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM pg_locks JOIN pg_database d ON d.oid = database WHERE NOT granted AND datname = current_database()"
  )
  return rows[0]!.waiting
}

describe("a locked table", () => {
  it("delays no read of another table, although more callers than connections wait for it", async () => {
    const { url, other } = await createTablesAndClient()
    await withStore(url, { maxConnections: 4, lockTimeoutMs: 60_000 }, (store) =>
      Effect.gen(function* () {
        const unlock = yield* Effect.promise(() => lockTable(other, "folders"))
        const blocked = yield* Effect.forEach(Array.from({ length: 20 }), (_, index) =>
          Effect.forkChild(
            index % 2 === 0
              ? Effect.asVoid(store.count(folders, everyRow))
              : store.transaction(store.insert(folders, [folder(`${index}`)]))
          )
        )
        yield* Effect.promise(async () => {
          await expect.poll(() => countWaiting(other), { timeout: 100_000 }).toBeGreaterThanOrEqual(3)
        })
        for (let index = 0; index < 10; index++) expect(yield* store.count(files, everyRow)).toBe(0)
        yield* Effect.promise(unlock)
        for (const fiber of blocked) yield* Fiber.join(fiber)
        expect(yield* store.count(folders, everyRow)).toBe(10)
      })
    )
  })

  it("fails a transaction with Contention after the lock timeout, once", async () => {
    const { url, other } = await createTablesAndClient()
    await withStore(url, { lockTimeoutMs: 100 }, (store) =>
      Effect.gen(function* () {
        const unlock = yield* Effect.promise(() => lockTable(other, "folders"))
        expect(yield* reasonOf(store.transaction(store.insert(folders, [folder("1")])))).toBe("Contention")
        yield* Effect.promise(unlock)
        yield* store.transaction(store.insert(folders, [folder("1")]))
      })
    )
  })

  it("fails a read with DeadlineExceeded after the statement timeout, and the server cancels it", async () => {
    const { url, other } = await createTablesAndClient()
    await withStore(url, { statementTimeoutMs: 200 }, (store) =>
      Effect.gen(function* () {
        const unlock = yield* Effect.promise(() => lockTable(other, "folders"))
        expect(yield* reasonOf(store.count(folders, everyRow))).toBe("DeadlineExceeded")
        expect(yield* Effect.promise(() => countWaiting(other))).toBe(0)
        yield* Effect.promise(unlock)
        expect(yield* store.count(folders, everyRow)).toBe(0)
      })
    )
  })

  it("is left by an interrupted read, which the server cancels", async () => {
    const { url, other } = await createTablesAndClient()
    await withStore(url, {}, (store) =>
      Effect.gen(function* () {
        const unlock = yield* Effect.promise(() => lockTable(other, "folders"))
        const fiber = yield* Effect.forkChild(store.count(folders, everyRow))
        yield* Effect.promise(async () => {
          await expect.poll(() => countWaiting(other), { timeout: 100_000 }).toBe(1)
        })
        yield* Fiber.interrupt(fiber)
        expect(yield* Effect.promise(() => countWaiting(other))).toBe(0)
        yield* Effect.promise(unlock)
      })
    )
  })
})

describe("the connections", () => {
  it("are waited for at the limit of the server", async () => {
    const { url, other } = await createTablesAndClient()
    const role = `limited_${Math.random().toString(36).slice(2)}`
    await other.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'limited'`)
    await other.query(`ALTER ROLE ${role} NOSUPERUSER CONNECTION LIMIT 3`)
    await other.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`)
    await other.query(`GRANT ALL ON SCHEMA public TO ${role}`)
    const limited = new URL(url)
    limited.username = role
    limited.password = "limited"
    const server = limited.toString()
    await withStore(server, { acquireTimeoutMs: 100_000, listenUrl: url }, (store) =>
      Effect.gen(function* () {
        const writes = Array.from({ length: 40 }, (_, index) =>
          store.transaction(
            Effect.andThen(store.count(files, everyRow), store.insert(folders, [folder(`${index}`)]))
          )
        )
        const reads = Array.from({ length: 40 }, () => store.count(files, everyRow))
        const retried = writes.map((write) =>
          Effect.retry(write, { while: (error) => (error as { _tag: string })._tag === "StorageConflict" })
        )
        yield* Effect.all([...retried, ...reads], { concurrency: "unbounded" })
        expect(yield* store.count(folders, everyRow)).toBe(40)
      })
    )
    await other.query(`DROP OWNED BY ${role}`)
    await other.query(`DROP ROLE ${role}`)
  })

  it("fail with Overloaded if none becomes free, and immediately if too many callers wait", async () => {
    const { url, other } = await createTablesAndClient()
    await withStore(url, { maxConnections: 1, maxWaiting: 1, acquireTimeoutMs: 300 }, (store) =>
      Effect.gen(function* () {
        const unlock = yield* Effect.promise(() => lockTable(other, "folders"))
        const holder = yield* Effect.forkChild(store.count(folders, everyRow))
        yield* Effect.promise(async () => {
          await expect.poll(() => countWaiting(other), { timeout: 100_000 }).toBe(1)
        })
        const waiter = yield* Effect.forkChild(reasonOf(store.count(files, everyRow)), {
          startImmediately: true
        })
        expect(yield* reasonOf(store.count(files, everyRow))).toBe("Overloaded")
        expect(yield* Fiber.join(waiter)).toBe("Overloaded")
        yield* Effect.promise(unlock)
        yield* Fiber.join(holder)
        expect(yield* store.count(files, everyRow)).toBe(0)
      })
    )
  })

  it("are all replaced after one stops responding", async () => {
    const { url } = await createTablesAndClient()
    const proxy = await startProxy(url)
    await withStore(proxy.url, { statementTimeoutMs: 3_000 }, (store) =>
      Effect.gen(function* () {
        const counts = Array.from({ length: 3 }, () => [
          store.count(files, everyRow),
          store.count(folders, everyRow)
        ]).flat()
        yield* Effect.all(counts, { concurrency: "unbounded" })
        const before = proxy.countConnections()
        expect(before).toBeGreaterThan(2)
        proxy.freeze()
        expect(yield* reasonOf(store.count(files, everyRow))).toBe("DeadlineExceeded")
        yield* Effect.all(counts, { concurrency: "unbounded" })
        expect(proxy.countConnections()).toBeGreaterThan(before)
      })
    )
  })

  it("that stop responding in a transaction fail it, and the next one uses another", async () => {
    const { url } = await createTablesAndClient()
    const proxy = await startProxy(url)
    await withStore(proxy.url, { statementTimeoutMs: 3_000 }, (store) =>
      Effect.gen(function* () {
        const write = store.insert(folders, [folder("1")])
        const frozen = Effect.andThen(
          Effect.sync(() => proxy.freeze()),
          store.count(folders, everyRow)
        )
        expect(yield* reasonOf(store.transaction(Effect.andThen(write, frozen)))).toBe("DeadlineExceeded")
        yield* store.transaction(store.insert(folders, [folder("2")]))
      })
    )
  })
})

describe("a read-only database", () => {
  it("fails writes and the probe with ReadOnly, executes reads, and recovers", async () => {
    const { url, other } = await createTablesAndClient()
    const setReadOnly = async (value: string) => {
      await other.query(
        `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET default_transaction_read_only = ${value}`
      )
      await other.query(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
    await withStore(url, {}, (store) =>
      Effect.gen(function* () {
        yield* store.probe
        yield* Effect.promise(() => setReadOnly("on"))
        expect(yield* reasonOf(store.probe)).toBe("ReadOnly")
        expect(yield* reasonOf(store.insert(folders, [folder("1")]))).toBe("ReadOnly")
        expect(yield* store.count(folders, everyRow)).toBe(0)
        yield* Effect.promise(() => setReadOnly("off"))
        yield* store.probe
        yield* store.insert(folders, [folder("1")])
      })
    )
  })

  it("is detected for a role that must not create temporary tables", async () => {
    const { url, other } = await createTablesAndClient()
    await other.query(`REVOKE TEMPORARY ON DATABASE "${new URL(url).pathname.slice(1)}" FROM PUBLIC`)
    await withStore(url, {}, (store) => store.probe)
  })
})

describe("a pooler without support for prepared statements", () => {
  it("is named at the start", async () => {
    const { url } = await createTablesAndClient()
    const pooler = await startFakePooler(url)
    const layer = PgStorage.layer({ url: pooler.url, migrations })
    const error = await Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(layer))))
    expect(error).toMatchObject({ _tag: "StorageUnavailable" })
    expect((error as StorageUnavailable).detail).toMatch(
      /pooler does not support prepared statements.*LECTERN_DATABASE_PREPARED_STATEMENTS=false/
    )
  })

  it("works without them", async () => {
    const { url } = await createTablesAndClient()
    const pooler = await startFakePooler(url)
    await withStore(pooler.url, { preparedStatements: false }, (store) =>
      Effect.gen(function* () {
        for (const id of ["1", "2", "3"]) yield* store.transaction(store.insert(folders, [folder(id)]))
        expect(yield* store.count(folders, everyRow)).toBe(3)
        // Workers poll: the pooler has no `LISTEN`.
        expect(store.signals).toBeUndefined()
      })
    )
  })
})
