/** The writes of a transaction that return nothing share a round trip, and end with their transaction. */
import { Records, RecordsAdapter, StorageUnavailable, Where, type WriteError } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Cause, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { files, folders, tables } from "../../storage-sql/test/support/tables.ts"
import { startProxy } from "./support/serverProxy.ts"
import { createDatabase } from "./support.ts"

const migrations = createTables(tables)
const everyRow = { op: "all" } as const
const later = { isResultUnused: true }
const folder = (id: string) => ({ id, parent: null, name: "" })
const whereId = (value: string) => ({ op: "eq", column: "id", value }) as const

const withStore = <A, E>(
  url: string,
  use: (store: RecordsAdapter["Service"]) => Effect.Effect<A, E>
): Promise<A> =>
  Effect.runPromise(
    Effect.flatMap(RecordsAdapter, use).pipe(
      Effect.provide(PgStorage.layer({ migrations, url })),
      Effect.orDie
    )
  )

const idsOf = (store: RecordsAdapter["Service"]) =>
  Effect.map(store.find(folders, { where: everyRow, orderBy: [], direction: "asc" }), (rows) =>
    rows.map(({ id }) => id)
  )

it("sends all writes that return nothing in one round trip, before the next query or the commit", async () => {
  let sent = 0
  const { url } = await startProxy(Redacted.value(await createDatabase()), () => ({
    client: (chunk) => {
      sent++
      return chunk
    },
    server: (chunk) => chunk
  }))
  await withStore(url, (store) =>
    Effect.gen(function* () {
      /** Counts the round trips of a transaction, after its statements were prepared. */
      const countTrips = Effect.fnUntraced(function* (body: (id: string) => Effect.Effect<unknown, unknown>) {
        yield* store.transaction(body("prepare"))
        sent = 0
        yield* store.transaction(body("count"))
        return sent
      })
      const writes = (prefix: string, options: typeof later | undefined) =>
        Effect.gen(function* () {
          for (let index = 0; index < 5; index++) {
            yield* store.insert(folders, [folder(`${prefix} ${index}`)], options)
          }
          yield* store.update(folders, whereId(`${prefix} 0`), { set: { name: "changed" }, add: {} }, options)
          yield* store.insertMissing(folders, [folder(`${prefix} 0`)], options)
        })
      // `BEGIN` with the gate of transactions takes one, and so does `COMMIT`.
      expect(yield* countTrips((id) => writes(`now ${id}`, undefined))).toBe(2 + 7)
      expect(yield* countTrips((id) => writes(`later ${id}`, later))).toBe(2 + 1)
      const withQuery = (id: string) =>
        Effect.andThen(writes(`one ${id}`, later), Effect.andThen(idsOf(store), writes(`two ${id}`, later)))
      expect(yield* countTrips(withQuery)).toBe(2 + 1 + 1 + 1)
      expect(yield* store.count(folders, { op: "eq", column: "name", value: "changed" })).toBe(8)
    })
  )
})

it("reads later in the same round trip, and uses the rows before the next query or the commit", async () => {
  await withStore(Redacted.value(await createDatabase()), (store) =>
    Effect.gen(function* () {
      const everything = { where: everyRow, orderBy: [], direction: "asc" } as const
      const seen: Array<ReadonlyArray<unknown>> = []
      const readLater = (use: () => Effect.Effect<void, WriteError>) =>
        store.findBeforeEnd!(folders, everything, (rows) => {
          seen.push(rows.map(({ id }) => id))
          return use()
        })
      const isLater = yield* store.transaction(
        Effect.gen(function* () {
          yield* store.insert(folders, [folder("a")], later)
          const added = yield* readLater(() =>
            Effect.andThen(
              store.insert(folders, [folder("b")], later),
              // Its writes and reads belong to the transaction as well.
              Effect.asVoid(readLater(() => Effect.void))
            )
          )
          expect(seen).toEqual([])
          expect(yield* idsOf(store)).toEqual(["a", "b"])
          expect(seen).toEqual([["a"], ["a", "b"]])
          yield* store.insert(folders, [folder("c")], later)
          yield* readLater(() => Effect.void)
          return added
        })
      )
      expect(isLater).toBe(true)
      expect(seen[2]).toEqual(["a", "b", "c"])
      expect(yield* readLater(() => Effect.void)).toBe(false)
      expect(seen).toHaveLength(3)
      // Its failure fails the transaction.
      const lost = new StorageUnavailable({ reason: "Contention", detail: "lost" })
      const failed = Effect.andThen(
        store.insert(folders, [folder("d")], later),
        readLater(() => Effect.fail(lost))
      )
      const exit = yield* Effect.exit(store.transaction(failed))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe(lost)
      expect(yield* idsOf(store)).toEqual(["a", "b", "c"])
    })
  )
})

it("uses the rows in the transaction that reads them, which cannot commit after its use has failed", async () => {
  const lost = new StorageUnavailable({ reason: "Contention", detail: "lost" })
  const found = { where: Where.all, select: ["id"] } as const
  await Effect.gen(function* () {
    const records = yield* Records
    const contexts: Array<boolean> = []
    const note = () =>
      Effect.map(records.isInTransaction, (isInTransaction) => {
        contexts.push(isInTransaction)
      })
    const reading = Effect.andThen(
      records.insert(folders, folder("a")),
      records.findBeforeEnd(folders, found, note)
    )
    // Before a query, before a savepoint, at the end of a savepoint, and before the commit.
    yield* records.transaction(Effect.andThen(reading, records.find(folders, found)))
    yield* records.remove(folders, Where.all)
    yield* records.transaction(Effect.andThen(reading, records.transaction(Effect.void)))
    yield* records.remove(folders, Where.all)
    yield* records.transaction(records.transaction(reading))
    yield* records.remove(folders, Where.all)
    yield* records.transaction(reading)
    expect(contexts).toEqual([true, true, true, true])
    yield* records.remove(folders, Where.all)
    const failing = Effect.andThen(
      records.insert(folders, folder("b")),
      records.findBeforeEnd(folders, found, () => Effect.fail(lost))
    )
    for (const next of [records.find(folders, found), records.transaction(Effect.void)]) {
      const error = yield* Effect.flip(records.transaction(Effect.andThen(failing, Effect.ignore(next))))
      expect(error).toBe(lost)
      expect(yield* records.find(folders, found)).toEqual([])
    }
  }).pipe(
    Effect.provide(
      Records.layer.pipe(
        Layer.provide(PgStorage.layer({ migrations, url: Redacted.value(await createDatabase()) }))
      )
    ),
    Effect.runPromise
  )
})

it("executes them once before queries that run concurrently", async () => {
  await withStore(Redacted.value(await createDatabase()), (store) =>
    store.transaction(
      Effect.gen(function* () {
        for (const prefix of ["a", "b", "c"]) {
          // The first query makes the connection exclusive to single statements.
          const before = yield* idsOf(store)
          yield* store.insert(folders, [folder(`${prefix}1`)], later)
          yield* store.insert(folders, [folder(`${prefix}2`)], later)
          const all = [...before, `${prefix}1`, `${prefix}2`]
          const read = yield* Effect.all([idsOf(store), idsOf(store), idsOf(store)], {
            concurrency: "unbounded"
          })
          expect(read).toEqual([all, all, all])
        }
      })
    )
  )
})

it("rolls back all of them if one violates a reference, and the connection remains usable", async () => {
  await withStore(Redacted.value(await createDatabase()), (store) =>
    Effect.gen(function* () {
      const file = { folder: "missing", name: "", size: 0, starred: false, kind: null, checked: null }
      const body = Effect.gen(function* () {
        yield* store.insert(folders, [folder("1")], later)
        yield* store.insert(files, [{ ...file, rank: null, content: {}, extra: null }], later)
        yield* store.insert(folders, [folder("2")], later)
      })
      const exit = yield* Effect.exit(store.transaction(body))
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain("ReferenceViolation")
      expect(yield* idsOf(store)).toEqual([])
      yield* store.transaction(store.insert(folders, [folder("3")], later))
      expect(yield* idsOf(store)).toEqual(["3"])
    })
  )
})

it("ends when it is interrupted while they wait for a row that another program has locked", async () => {
  const url = Redacted.value(await createDatabase())
  const other = new pg.Client({ connectionString: url })
  onTestFinished(() => other.end())
  await other.connect()
  await withStore(url, (store) =>
    Effect.gen(function* () {
      yield* store.insert(folders, [folder("1")])
      yield* Effect.promise(() => other.query(`BEGIN; UPDATE "folders" SET "name" = 'locked'`))
      const body = Effect.gen(function* () {
        yield* store.insert(folders, [folder("2")], later)
        yield* store.update(folders, whereId("1"), { set: { name: "changed" }, add: {} }, later)
      })
      const fiber = yield* Effect.forkChild(store.transaction(body))
      yield* Effect.promise(() =>
        expect
          .poll(
            async () =>
              (
                await other.query(
                  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                )
              ).rowCount,
            { timeout: 100_000 }
          )
          .toBeGreaterThan(0)
      )
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => other.query("ROLLBACK"))
      expect(yield* idsOf(store)).toEqual(["1"])
      yield* store.transaction(store.insert(folders, [folder("3")], later))
      expect(yield* idsOf(store)).toEqual(["1", "3"])
    })
  )
})
