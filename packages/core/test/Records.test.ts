/** `Records`: retries of conflicts, transactions that fail with their first failed query, defects, snapshot caches. */
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

const items = Table.make("items", {
  columns: { id: Table.text(), name: Table.nullable(Table.text()), of: Table.nullable(Table.text()) },
  key: ["id"],
  unique: [["name"]],
  references: { of: { table: (): Table.AnyTable => items, onRemove: "restrict" } }
})

const makeItem = (id: string, fields: { readonly name?: string; readonly of?: string } = {}) => ({
  ...{ id, name: null, of: null },
  ...fields
})

type Item = Table.Row<typeof items>

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
  ).pipe(Layer.provide(MemoryStorage.layer([items])))
  const layer = Layer.mergeAll(Records.layer.pipe(Layer.provide(adapter)), TestClock.layer())
  return Effect.runPromise(Effect.provide(effect, layer))
}

/** Runs an effect, and advances the clock by the delays of its retries. */
const withRetries = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

/** Replaces transactions and inserts by ones that conflict this number of times. */
const conflicting = (times: number) => {
  const counter = { attempts: 0 }
  const change = ({ transaction, insert }: Adapter): Partial<Adapter> => ({
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageConflict | StorageUnavailable, R> => {
        counter.attempts++
        const isConflicting = counter.attempts <= times
        return transaction(
          Effect.andThen(self, (value) =>
            isConflicting ? Effect.fail(new StorageConflict()) : Effect.succeed(value)
          )
        )
      }),
    insert: (table, rows) =>
      Effect.suspend(() => {
        counter.attempts++
        return counter.attempts <= times ? Effect.fail(new StorageConflict()) : insert(table, rows)
      })
  })
  return { counter, change }
}

describe("a conflicting transaction", () => {
  it("is retried from its start, and commits the writes of the last attempt", async () => {
    const { counter, change } = conflicting(3)
    const ids: Array<string> = []
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const body = Effect.suspend(() => {
          const id = `${counter.attempts}`
          ids.push(id)
          return records.update(items, Where.all as Where.Where<Item>, { name: id })
        })
        expect(yield* withRetries(records.transaction(body))).toBe(0)
      }),
      change
    )
    expect(ids).toEqual(["1", "2", "3", "4"])
  })

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
    const error = await run(
      Effect.flatMap(Records, (records) => Effect.flip(records.transaction(Effect.fail("no")))),
      change
    )
    expect(error).toBe("no")
    expect(counter.attempts).toBe(1)
  })

  it("is retried as a whole when a nested transaction conflicts", async () => {
    let inner = 0
    let outer = 0
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const within = records.transaction(
          Effect.suspend(() => (++inner === 1 ? Effect.fail(new StorageConflict()) : Effect.void))
        )
        // Ignoring the error of the inner transaction does not ignore its conflict.
        const body = Effect.andThen(
          Effect.sync(() => outer++),
          Effect.ignore(within)
        )
        yield* withRetries(records.transaction(body))
      })
    )
    expect([outer, inner]).toEqual([2, 2])
  })
})

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
            })
          )
          .pipe(Effect.flip)
        expect(error).toMatchObject({ _tag: "UniqueViolation", table: "items" })
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
            })
          )
        )
      }),
      ({ insert, find }) => ({
        insert: (table, rows) =>
          Effect.andThen(
            Effect.sync(() => queries.push("insert")),
            insert(table, rows)
          ),
        find: (table, options) =>
          Effect.andThen(
            Effect.sync(() => queries.push("find")),
            find(table, options)
          )
      })
    )
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
        expect(rows.map(({ id }) => id)).toEqual(["1", "3"])
      })
    ))
})

describe("a violation that the caller excluded is a defect", () => {
  const itDies = (name: string, query: (records: Records["Service"]) => Effect.Effect<unknown, unknown>) =>
    it(name, () =>
      run(
        Effect.gen(function* () {
          const records = yield* Records
          yield* records.insertMany(items, [makeItem("1", { name: "a" }), makeItem("2", { of: "1" })])
          for (const effect of [query(records), records.transaction(query(records))]) {
            const exit = yield* Effect.exit(effect)
            expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause)).toBe(
              true
            )
          }
          expect(yield* records.count(items, Where.all)).toBe(2)
        })
      )
    )

  itDies("for a reference to a missing row", (records) =>
    records.tryInsert(items, makeItem("3", { of: "9" }))
  )
  itDies("for the removal of a referenced row", (records) => records.remove(items, byId("1")))
  itDies("for a duplicate key in `insert`", (records) => records.insert(items, makeItem("1")))
  itDies("for a duplicate unique value in `update`", (records) =>
    records.update(items, byId("2"), { name: "a" })
  )
})

describe("a snapshot cache", () => {
  it("returns the cached value until the next commit, and is bypassed in transactions", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        const cache = snapshotCache(records, 10)
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
            return yield* Effect.fail("rolled back")
          })
        )
        yield* Effect.exit(rolledBack)
        expect(yield* names()).toBe(first)
        yield* records.update(items, byId("1"), { name: "c" })
        expect(yield* names()).toEqual({ names: ["c"] })
        // A value over the maximum size is not cached.
        expect(yield* names(11)).not.toBe(yield* names(11))
      })
    ))
})
