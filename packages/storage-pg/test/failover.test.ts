/** Failovers: connections to a server that became a standby, and a replica that was promoted without the last commits. */
import { RecordsAdapter, type StorageUnavailable } from "@lectern/core"
import { startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Effect, Layer } from "effect"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { files, folders, tables } from "../../storage-sql/test/support/tables.ts"
import { startProxy } from "./support/serverProxy.ts"

const migrations = createTables(tables)
const everyRow = { op: "all" } as const
const folder = (id: string) => ({ id, parent: null, name: "" })

const withStore = <A, E>(url: string, use: (store: RecordsAdapter["Service"]) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    Effect.flatMap(RecordsAdapter, use).pipe(
      Effect.provide(PgStorage.layer({ migrations, url }))
    ) as Effect.Effect<A>
  )

const reasonOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => (error as unknown as StorageUnavailable).reason)

const execute = async (url: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

let primary: Awaited<ReturnType<typeof startPostgres>>
let standby: Awaited<ReturnType<typeof primary.startStandby>>

beforeAll(async () => {
  primary = await startPostgres([])
  await Effect.runPromise(Effect.scoped(Layer.build(PgStorage.layer({ url: primary.url, migrations }))))
  await execute(primary.url, "CHECKPOINT")
  await primary.crash()
  standby = await primary.startStandby()
  await primary.restart()
}, 180_000)
afterAll(async () => {
  await standby?.stop()
  await primary?.stop()
})

it("reports a standby as read-only, to the probe and to every kind of transaction", async () => {
  const proxy = await startProxy(primary.url)
  await withStore(proxy.url, (store) =>
    Effect.gen(function* () {
      yield* store.probe
      proxy.retarget(standby.url)
      yield* Effect.promise(() => execute(primary.url, "SELECT 1"))
      proxy.disconnect()
      // The driver notices that its connections were closed.
      yield* Effect.sleep(200)
      yield* Effect.ignore(store.count(files, everyRow))
      expect(yield* reasonOf(store.probe)).toBe("ReadOnly")
      expect(yield* reasonOf(store.insert(folders, [folder("1")]))).toBe("ReadOnly")
      expect(yield* reasonOf(store.transaction(store.insert(folders, [folder("1")])))).toBe("ReadOnly")
      expect(yield* reasonOf(store.lockedTransaction!([], () => store.insert(folders, [folder("1")])))).toBe(
        "ReadOnly"
      )
      expect(yield* store.count(folders, everyRow)).toBe(0)
    })
  )
})

it("replaces connections to a standby when new ones lead to the primary, also if only the probe uses them", async () => {
  const proxy = await startProxy(standby.url)
  const read = (store: RecordsAdapter["Service"]) =>
    Effect.all([store.count(files, everyRow), store.count(files, everyRow)], { concurrency: "unbounded" })
  for (const use of [
    (store: RecordsAdapter["Service"]) => store.probe,
    (store: RecordsAdapter["Service"]) => store.insert(folders, [folder(`${performance.now()}`)])
  ]) {
    proxy.retarget(primary.url)
    await withStore(proxy.url, (store) =>
      Effect.gen(function* () {
        yield* use(store)
        proxy.retarget(standby.url)
        proxy.disconnect()
        yield* Effect.sleep(200)
        yield* Effect.ignore(read(store))
        expect(yield* reasonOf(use(store))).toBe("ReadOnly")
        // Existing connections remain at the standby.
        proxy.retarget(primary.url)
        const attempts: Array<boolean> = []
        for (let attempt = 0; attempt < 5 && attempts.at(-1) !== true; attempt++) {
          yield* Effect.sleep(1_100)
          attempts.push(yield* Effect.match(use(store), { onFailure: () => false, onSuccess: () => true }))
        }
        expect(attempts.at(-1)).toBe(true)
      })
    )
  }
})

it("never names a snapshot of a promoted replica like a snapshot of the server that it replaces", async () => {
  const names = (url: string) =>
    withStore(url, (store) =>
      Effect.gen(function* () {
        const seen: Array<string> = [yield* store.snapshot]
        for (let commit = 0; commit < 40; commit++) {
          yield* store.insert(folders, [folder(`commit ${url.length} ${commit} ${performance.now()}`)])
          seen.push(yield* store.snapshot)
        }
        return seen
      })
    )
  const before = await names(primary.url)
  await execute(standby.url, "SELECT pg_promote()")
  const after = new Set(await names(standby.url))
  expect(before.filter((name) => after.has(name))).toEqual([])
  // The transaction numbers are used again, so the names must contain more than these numbers.
  const numbers = (all: Iterable<string>) => [...all].map((name) => name.split(" ").at(-1))
  const again = new Set(numbers(after))
  expect(numbers(before).some((number) => again.has(number))).toBe(true)
})
