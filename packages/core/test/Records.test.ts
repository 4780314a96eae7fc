<<<<<<< HEAD
/** The behavior that `Records` adds to a store: retries, failed transactions, defects and snapshot caches. */
=======
/** `Records`: retries of conflicts, transactions that fail with their first failed query, defects, snapshot caches. */
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
import {
  Records,
  RecordsAdapter,
  StorageConflict,
  StorageUnavailable,
  snapshotCache,
  Table,
  Where
} from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Cause, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

<<<<<<< HEAD
const itemsTable = Table.make("items", {
  columns: { id: Table.text(), name: Table.nullable(Table.text()), of: Table.nullable(Table.text()) },
  key: ["id"],
  unique: [["name"]],
  references: { of: { table: (): Table.AnyTable => itemsTable, onRemove: "restrict" } }
})

const itemRow = (id: string, fields: { readonly name?: string; readonly of?: string } = {}) => ({
=======
const items = Table.make("items", {
  columns: { id: Table.text(), name: Table.nullable(Table.text()), of: Table.nullable(Table.text()) },
  key: ["id"],
  unique: [["name"]],
  references: { of: { table: (): Table.AnyTable => items, onRemove: "restrict" } }
})

const makeItem = (id: string, fields: { readonly name?: string; readonly of?: string } = {}) => ({
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
  ...{ id, name: null, of: null },
  ...fields
})

<<<<<<< HEAD
type Item = Table.Row<typeof itemsTable>
=======
type Item = Table.Row<typeof items>
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef

const byId = (id: string) => Where.eq<Item, "id">("id", id)

type Adapter = RecordsAdapter["Service"]

/** Runs an effect on the in-memory store with some methods replaced, and with a test clock. */
const run = <A, E>(
  effect: Effect.Effect<A, E, Records>,
  change: (adapter: Adapter) => Partial<Adapter> = () => ({})
): Promise<A> => {
  const adapter = Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (memory) => RecordsAdapter.of({ ...memory, ...change(memory) }))
<<<<<<< HEAD
  ).pipe(Layer.provide(MemoryStorage.layer([itemsTable])))
=======
  ).pipe(Layer.provide(MemoryStorage.layer([items])))
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
  const layer = Layer.mergeAll(Records.layer.pipe(Layer.provide(adapter)), TestClock.layer())
  return Effect.runPromise(Effect.provide(effect, layer))
}

<<<<<<< HEAD
/** Runs an effect, and advances the clock by the time that retries wait. */
const withTimePassing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
=======
/** Runs an effect, and advances the clock by the delays of its retries. */
const withRetries = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

<<<<<<< HEAD
/** Makes transactions and single writes conflict a number of times, and counts their attempts. */
const conflicting = (times: number) => {
  const counted = { attempts: 0 }
  const change = ({ transaction, insert }: Adapter): Partial<Adapter> => ({
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageConflict | StorageUnavailable, R> => {
        counted.attempts++
        const isConflicting = counted.attempts <= times
=======
/** Replaces transactions and inserts by ones that conflict this number of times. */
const conflicting = (times: number) => {
  const counter = { attempts: 0 }
  const change = ({ transaction, insert }: Adapter): Partial<Adapter> => ({
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageConflict | StorageUnavailable, R> => {
        counter.attempts++
        const isConflicting = counter.attempts <= times
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
        return transaction(
          Effect.andThen(self, (value) =>
            isConflicting ? Effect.fail(new StorageConflict()) : Effect.succeed(value)
          )
        )
      }),
    insert: (table, rows) =>
      Effect.suspend(() => {
<<<<<<< HEAD
        counted.attempts++
        return counted.attempts <= times ? Effect.fail(new StorageConflict()) : insert(table, rows)
=======
        counter.attempts++
        return counter.attempts <= times ? Effect.fail(new StorageConflict()) : insert(table, rows)
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
      })
  })
  return { counter, change }
}

describe("a conflicting transaction", () => {
<<<<<<< HEAD
  it("is retried from its start, and stores the writes of the last attempt only", async () => {
    const { counted, change } = conflicting(3)
=======
  it("is retried from its start, and commits the writes of the last attempt", async () => {
    const { counter, change } = conflicting(3)
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
    const ids: Array<string> = []
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const body = Effect.suspend(() => {
<<<<<<< HEAD
          const id = `${counted.attempts}`
          ids.push(id)
          return records.update(itemsTable, Where.all as Where.Where<Item>, { name: id })
        })
        expect(yield* withTimePassing(records.transaction(body))).toBe(0)
=======
          const id = `${counter.attempts}`
          ids.push(id)
          return records.update(items, Where.all as Where.Where<Item>, { name: id })
        })
        expect(yield* withRetries(records.transaction(body))).toBe(0)
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
      }),
      change
    )
    expect(ids).toEqual(["1", "2", "3", "4"])
  })

<<<<<<< HEAD
  it("fails with StorageUnavailable after 32 attempts", async () => {
    const { counted, change } = conflicting(Number.POSITIVE_INFINITY)
    const error = await run(
      Effect.flatMap(Records, (records) => Effect.flip(withTimePassing(records.transaction(Effect.void)))),
      change
    )
    expect(error).toBeInstanceOf(StorageUnavailable)
    // The first attempt, an immediate retry, and 30 retries with a delay.
    expect(counted.attempts).toBe(32)
  })

  it("is not retried after another error", async () => {
    const { counted, change } = conflicting(0)
=======
  it("fails with StorageUnavailable when its retries are exhausted", async () => {
    const { counter, change } = conflicting(Number.POSITIVE_INFINITY)
    const error = await run(
      Effect.flatMap(Records, (records) => Effect.flip(withRetries(records.transaction(Effect.void)))),
      change
    )
    expect(error).toBeInstanceOf(StorageUnavailable)
    // The first attempt, a retry without delay, and 30 retries with backoff.
    expect(counter.attempts).toBe(32)
  })

  it("is not retried after an error that is not a conflict", async () => {
    const { counter, change } = conflicting(0)
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
    const error = await run(
      Effect.flatMap(Records, (records) => Effect.flip(records.transaction(Effect.fail("no")))),
      change
    )
    expect(error).toBe("no")
<<<<<<< HEAD
    expect(counted.attempts).toBe(1)
  })

  it("is retried with the outer transaction if it is nested", async () => {
=======
    expect(counter.attempts).toBe(1)
  })

  it("is retried as a whole when a nested transaction conflicts", async () => {
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
    let inner = 0
    let outer = 0
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const within = records.transaction(
          Effect.suspend(() => (++inner === 1 ? Effect.fail(new StorageConflict()) : Effect.void))
        )
<<<<<<< HEAD
        // An outer transaction cannot ignore the conflict by ignoring the error of the inner one.
=======
        // Ignoring the error of the inner transaction does not ignore its conflict.
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
        const body = Effect.andThen(
          Effect.sync(() => outer++),
          Effect.ignore(within)
        )
<<<<<<< HEAD
        yield* withTimePassing(records.transaction(body))
=======
        yield* withRetries(records.transaction(body))
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
      })
    )
    expect([outer, inner]).toEqual([2, 2])
  })
})

<<<<<<< HEAD
describe("a conflicting write outside of a transaction", () => {
  it("is retried", async () => {
    const { counted, change } = conflicting(2)
    await run(
      Effect.flatMap(Records, (records) => withTimePassing(records.insert(itemsTable, itemRow("1")))),
      change
    )
    expect(counted.attempts).toBe(3)
  })
})

describe("a transaction with a failed write", () => {
  it("is rolled back and fails, even if the error is caught", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(itemsTable, itemRow("1"))
        const error = yield* records
          .transaction(
            Effect.gen(function* () {
              yield* records.insert(itemsTable, itemRow("2"))
              yield* Effect.ignore(records.tryInsert(itemsTable, itemRow("1")))
=======
describe("a query outside of a transaction", () => {
  it("is retried when it conflicts", async () => {
    const { counter, change } = conflicting(2)
    await run(
      Effect.flatMap(Records, (records) => withRetries(records.insert(items, makeItem("1")))),
      change
    )
    expect(counter.attempts).toBe(3)
  })
})

describe("a transaction with a failed query", () => {
  it("rolls back, even if the error is caught", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(items, makeItem("1"))
        const error = yield* records
          .transaction(
            Effect.gen(function* () {
              yield* records.insert(items, makeItem("2"))
              yield* Effect.ignore(records.tryInsert(items, makeItem("1")))
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
            })
          )
          .pipe(Effect.flip)
        expect(error).toMatchObject({ _tag: "UniqueViolation", table: "items" })
<<<<<<< HEAD
        expect(yield* records.count(itemsTable, Where.all)).toBe(1)
      })
    ))

  it("does not call the store again", async () => {
    const calls: Array<string> = []
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(itemsTable, itemRow("1"))
        yield* Effect.exit(
          records.transaction(
            Effect.gen(function* () {
              yield* Effect.ignore(records.tryInsert(itemsTable, itemRow("1")))
              calls.length = 0
              yield* Effect.ignore(records.find(itemsTable, {}))
              yield* Effect.ignore(records.tryInsert(itemsTable, itemRow("2")))
=======
        expect(yield* records.count(items, Where.all)).toBe(1)
      })
    ))

  it("sends no more queries to the store", async () => {
    const queries: Array<string> = []
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(items, makeItem("1"))
        yield* Effect.exit(
          records.transaction(
            Effect.gen(function* () {
              yield* Effect.ignore(records.tryInsert(items, makeItem("1")))
              queries.length = 0
              yield* Effect.ignore(records.find(items, {}))
              yield* Effect.ignore(records.tryInsert(items, makeItem("2")))
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
            })
          )
        )
      }),
      ({ insert, find }) => ({
        insert: (table, rows) =>
          Effect.andThen(
<<<<<<< HEAD
            Effect.sync(() => calls.push("insert")),
=======
            Effect.sync(() => queries.push("insert")),
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
            insert(table, rows)
          ),
        find: (table, options) =>
          Effect.andThen(
<<<<<<< HEAD
            Effect.sync(() => calls.push("find")),
=======
            Effect.sync(() => queries.push("find")),
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
            find(table, options)
          )
      })
    )
<<<<<<< HEAD
    expect(calls).toEqual([])
  })

  it("that is nested fails without the outer transaction, which can continue", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(itemsTable, itemRow("1"))
        yield* records.transaction(
          Effect.gen(function* () {
            const inner = records.transaction(
              Effect.andThen(
                records.insert(itemsTable, itemRow("2")),
                records.tryInsert(itemsTable, itemRow("1"))
              )
            )
            expect((yield* Effect.flip(inner))._tag).toBe("UniqueViolation")
            yield* records.insert(itemsTable, itemRow("3"))
          })
        )
        const rows = yield* records.find(itemsTable, {})
=======
    expect(queries).toEqual([])
  })

  it("fails as a nested transaction without its outer transaction", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(items, makeItem("1"))
        yield* records.transaction(
          Effect.gen(function* () {
            const inner = records.transaction(
              Effect.andThen(records.insert(items, makeItem("2")), records.tryInsert(items, makeItem("1")))
            )
            expect((yield* Effect.flip(inner))._tag).toBe("UniqueViolation")
            yield* records.insert(items, makeItem("3"))
          })
        )
        const rows = yield* records.find(items, {})
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
        expect(rows.map(({ id }) => id)).toEqual(["1", "3"])
      })
    ))
})

<<<<<<< HEAD
describe("a violation that the verb does not declare is a defect", () => {
  const dies = (name: string, verb: (records: Records["Service"]) => Effect.Effect<unknown, unknown>) =>
=======
describe("a violation that the caller excluded is a defect", () => {
  const itDies = (name: string, query: (records: Records["Service"]) => Effect.Effect<unknown, unknown>) =>
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
    it(name, () =>
      run(
        Effect.gen(function* () {
          const records = yield* Records
<<<<<<< HEAD
          yield* records.insertMany(itemsTable, [itemRow("1", { name: "a" }), itemRow("2", { of: "1" })])
          for (const effect of [verb(records), records.transaction(verb(records))]) {
=======
          yield* records.insertMany(items, [makeItem("1", { name: "a" }), makeItem("2", { of: "1" })])
          for (const effect of [query(records), records.transaction(query(records))]) {
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
            const exit = yield* Effect.exit(effect)
            expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause)).toBe(
              true
            )
          }
<<<<<<< HEAD
          expect(yield* records.count(itemsTable, Where.all)).toBe(2)
=======
          expect(yield* records.count(items, Where.all)).toBe(2)
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
        })
      )
    )

<<<<<<< HEAD
  dies("inserting a reference to a missing row", (records) =>
    records.tryInsert(itemsTable, itemRow("3", { of: "9" }))
  )
  dies("removing a referenced row", (records) => records.remove(itemsTable, byId("1")))
  dies("inserting an existing key with `insert`", (records) => records.insert(itemsTable, itemRow("1")))
  dies("updating a unique column to an existing value with `update`", (records) =>
    records.update(itemsTable, byId("2"), { name: "a" })
=======
  itDies("for a reference to a missing row", (records) =>
    records.tryInsert(items, makeItem("3", { of: "9" }))
  )
  itDies("for the removal of a referenced row", (records) => records.remove(items, byId("1")))
  itDies("for a duplicate key in `insert`", (records) => records.insert(items, makeItem("1")))
  itDies("for a duplicate unique value in `update`", (records) =>
    records.update(items, byId("2"), { name: "a" })
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
  )
})

describe("a snapshot cache", () => {
<<<<<<< HEAD
  it("returns the cached value until a commit, and does not cache values of open transactions", () =>
=======
  it("returns the cached value until the next commit, and is bypassed in transactions", () =>
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
    run(
      Effect.gen(function* () {
        const records = yield* Records
        const cache = snapshotCache(records, 10)
<<<<<<< HEAD
        const loadNames = (size = 1) =>
          cache(
            [size],
            Effect.map(records.find(itemsTable, {}), (rows) => ({ names: rows.map(({ name }) => name) })),
            () => size
          )
        yield* records.insert(itemsTable, itemRow("1", { name: "a" }))
        const first = yield* loadNames()
        expect(yield* loadNames()).toBe(first)
        expect(Object.isFrozen(first)).toBe(true)
        const rolledBack = records.transaction(
          Effect.gen(function* () {
            yield* records.update(itemsTable, byId("1"), { name: "b" })
            expect(yield* loadNames()).toEqual({ names: ["b"] })
=======
        const names = (size = 1) =>
          cache(
            [size],
            Effect.map(records.find(items, {}), (rows) => ({ names: rows.map(({ name }) => name) })),
            () => size
          )
        yield* records.insert(items, makeItem("1", { name: "a" }))
        const first = yield* names()
        expect(yield* names()).toBe(first)
        expect(Object.isFrozen(first)).toBe(true)
        const rolledBack = records.transaction(
          Effect.gen(function* () {
            yield* records.update(items, byId("1"), { name: "b" })
            expect(yield* names()).toEqual({ names: ["b"] })
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
            return yield* Effect.fail("rolled back")
          })
        )
        yield* Effect.exit(rolledBack)
<<<<<<< HEAD
        expect(yield* loadNames()).toBe(first)
        yield* records.update(itemsTable, byId("1"), { name: "c" })
        expect(yield* loadNames()).toEqual({ names: ["c"] })
        // Values that are larger than the cache are computed each time.
        expect(yield* loadNames(11)).not.toBe(yield* loadNames(11))
=======
        expect(yield* names()).toBe(first)
        yield* records.update(items, byId("1"), { name: "c" })
        expect(yield* names()).toEqual({ names: ["c"] })
        // A value over the maximum size is not cached.
        expect(yield* names(11)).not.toBe(yield* names(11))
>>>>>>> 8f7ce6d96470d42b01eb347525324dd2b05e79ef
      })
    ))
})
