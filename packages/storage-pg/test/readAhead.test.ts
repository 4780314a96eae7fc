/** Reads that are executed with the acquisition of locks return the same rows as afterwards. */
import { RecordsAdapter } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Deferred, Effect, Fiber, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"
import { startProxy } from "./support/serverProxy.ts"
import { createDatabase } from "./support.ts"

const room = [{ mode: "exclusive", kind: "room", id: "north" }] as const
const migrations = createTables(tables)
const whereId = (value: string) => ({ op: "eq", column: "id", value }) as const
type Store = RecordsAdapter["Service"]

const nameOf = (store: Store, id: string) =>
  Effect.map(
    store.find(folders, { where: whereId(id), orderBy: [], direction: "asc" }),
    (rows) => rows[0]?.name
  )

const rename = (store: Store, id: string, name: string) =>
  store.update(folders, whereId(id), { set: { name }, add: {} })

/** Opens a store as a process of its own, and counts its round trips. */
const openStore = async (url: string) => {
  let trips = 0
  const proxy = await startProxy(url, () => ({
    client: (chunk) => {
      trips++
      return chunk
    },
    server: (chunk) => chunk
  }))
  const runtime = ManagedRuntime.make(PgStorage.layer({ url: proxy.url, migrations }))
  onTestFinished(() => runtime.dispose())
  const store = await runtime.runPromise(RecordsAdapter)
  const run = runtime.runPromise
  const locked = <A, E>(body: Effect.Effect<A, E>, like = "rename") =>
    run(store.lockedTransaction!(room, () => body, like))
  const count = async (body: () => Promise<unknown>): Promise<number> => {
    trips = 0
    await body()
    return trips
  }
  return { store, run, locked, count }
}

const openStores = async () => {
  const url = Redacted.value(await createDatabase())
  const first = await openStore(url)
  await first.run(
    first.store.insert(
      folders,
      ["1", "2"].map((id) => ({ id, parent: null, name: "new" }))
    )
  )
  return { url, first, second: await openStore(url) }
}

it("repeats the reads of earlier transactions of its kind in the round trip of the locks", async () => {
  const { first, second } = await openStores()
  const { store, locked, count } = first
  const readBoth = () => Effect.all([nameOf(store, "1"), nameOf(store, "2")])
  // `BEGIN` with the locks, each read, and `COMMIT`.
  expect(await count(() => locked(readBoth()))).toBeGreaterThanOrEqual(4)
  expect(await count(() => locked(readBoth()))).toBe(4)
  expect(await count(() => locked(readBoth()))).toBe(2)
  await second.run(rename(second.store, "2", "changed"))
  expect(await locked(readBoth())).toEqual(["new", "changed"])
  // A read of another row, in a transaction that expects others, is executed.
  expect(await locked(nameOf(store, "3"))).toBe(undefined)
  expect(await locked(readBoth())).toEqual(["new", "changed"])
  expect(await count(() => locked(readBoth(), "other"))).toBe(4)
})

it("sees earlier writes of the transaction, regardless of the number of reads ahead", async () => {
  const { first } = await openStores()
  const { store, locked } = first
  for (let round = 0; round < 4; round++) {
    expect(await locked(nameOf(store, "1"))).toBe(round === 0 ? "new" : `changed ${round - 1}`)
    await locked(nameOf(store, "1"))
    const written = Effect.andThen(rename(store, "1", `changed ${round}`), nameOf(store, "1"))
    expect(await locked(written)).toBe(`changed ${round}`)
  }
})

it("sees the writes of the holder of a lock for which it waits", async () => {
  const { first, second } = await openStores()
  for (let round = 0; round < 3; round++) await first.locked(nameOf(first.store, "1"))
  const seen = await second.run(
    Effect.gen(function* () {
      const [held, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        second.store.lockedTransaction!(room, () =>
          Effect.gen(function* () {
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(finish)
            yield* rename(second.store, "1", "held")
          })
        )
      )
      yield* Deferred.await(held)
      const waiting = first.locked(nameOf(first.store, "1"))
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(holder)
      return yield* Effect.promise(() => waiting)
    })
  )
  expect(seen).toBe("held")
})

it("leaves no transaction and no lock if it is interrupted while it waits for a lock", async () => {
  const { url, first, second } = await openStores()
  const other = new pg.Client(url)
  onTestFinished(() => other.end())
  await other.connect()
  const waiting = async () =>
    (
      await other.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      )
    ).rowCount
  const until = (count: number) => Effect.promise(() => expect.poll(waiting, { timeout: 60_000 }).toBe(count))
  await second.run(
    Effect.gen(function* () {
      const [held, finish] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* Effect.forkChild(
        second.store.lockedTransaction!(room, () =>
          Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(finish))
        )
      )
      yield* Deferred.await(held)
      const body = first.store.lockedTransaction!(room, () => rename(first.store, "1", "interrupted"))
      const fiber = yield* Effect.forkChild(body)
      yield* until(1)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(holder)
      yield* until(0)
    })
  )
  expect(await first.locked(nameOf(first.store, "1"))).toBe("new")
  const { rows } = await other.query(
    "SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
  )
  expect(rows).toEqual([{ open: 0 }])
})
