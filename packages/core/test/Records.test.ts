/** The behavior that `Records` adds to a store: retries, failed transactions, defects and caches of rows. */
import {
  makeVersionedCache,
  Records,
  RecordsAdapter,
  StorageConflict,
  StorageUnavailable,
  Table,
  UniqueViolation,
  Where
} from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Cause, Effect, Exit, Fiber, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const itemsTable = Table.make("items", {
  columns: { id: Table.text(), name: Table.nullable(Table.text()), of: Table.nullable(Table.text()) },
  key: ["id"],
  unique: [["name"]],
  references: { of: { table: (): Table.AnyTable => itemsTable, onRemove: "restrict" } }
})

const itemRow = (id: string, fields: { readonly name?: string; readonly of?: string } = {}) => ({
  ...{ id, name: null, of: null },
  ...fields
})

type Item = Table.Row<typeof itemsTable>

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
  ).pipe(Layer.provide(MemoryStorage.layer([itemsTable])))
  const layer = Layer.mergeAll(Records.layer.pipe(Layer.provide(adapter)), TestClock.layer())
  return Effect.runPromise(Effect.provide(effect, layer))
}

/** Runs an effect, and advances the clock by the time that retries wait. */
const withTimePassing = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })

/** Makes transactions and single writes conflict a number of times, and counts their attempts. */
const conflicting = (times: number) => {
  const counted = { attempts: 0 }
  const change = ({ transaction, insert }: Adapter): Partial<Adapter> => ({
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageConflict | StorageUnavailable, R> => {
        counted.attempts++
        const isConflicting = counted.attempts <= times
        return transaction(
          Effect.andThen(self, (value) =>
            isConflicting ? Effect.fail(new StorageConflict()) : Effect.succeed(value)
          )
        )
      }),
    insert: (table, rows) =>
      Effect.suspend(() => {
        counted.attempts++
        return counted.attempts <= times ? Effect.fail(new StorageConflict()) : insert(table, rows)
      })
  })
  return { counted, change }
}

describe("a conflicting transaction", () => {
  it("is retried from its start, and stores the writes of the last attempt only", async () => {
    const { counted, change } = conflicting(3)
    const ids: Array<string> = []
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const body = Effect.suspend(() => {
          const id = `${counted.attempts}`
          ids.push(id)
          return records.update(itemsTable, Where.all as Where.Where<Item>, { name: id })
        })
        expect(yield* withTimePassing(records.transaction(body))).toBe(0)
      }),
      change
    )
    expect(ids).toEqual(["1", "2", "3", "4"])
  })

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

  it("is counted in the metrics, with its retries", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 40 }), async (times) => {
        const registry: (typeof Metric.MetricRegistry)["Service"] = new Map()
        const transaction = Effect.flatMap(Records, (records) =>
          Effect.ignore(withTimePassing(records.transaction(Effect.void)))
        )
        await run(
          Effect.provideService(transaction, Metric.MetricRegistry, registry),
          conflicting(times).change
        )
        const counters = await Effect.runPromise(
          Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
        )
        const countOf = (name: string) =>
          counters.flatMap((metric) =>
            metric.id === name && metric.type === "Counter" ? metric.state.count : []
          )
        const conflicts = Math.min(times, 32)
        expect(countOf("lectern_transaction_conflicts_total")).toEqual(times === 0 ? [] : [conflicts])
        expect(countOf("lectern_transaction_retries_total")).toEqual(
          times === 0 ? [] : [Math.min(conflicts, 31)]
        )
      })
    ))

  it("is not retried after another error", async () => {
    const { counted, change } = conflicting(0)
    const error = await run(
      Effect.flatMap(Records, (records) => Effect.flip(records.transaction(Effect.fail("no")))),
      change
    )
    expect(error).toBe("no")
    expect(counted.attempts).toBe(1)
  })

  it("is retried with the outer transaction if it is nested", async () => {
    let inner = 0
    let outer = 0
    await run(
      Effect.gen(function* () {
        const records = yield* Records
        const within = records.transaction(
          Effect.suspend(() => (++inner === 1 ? Effect.fail(new StorageConflict()) : Effect.void))
        )
        // An outer transaction cannot ignore the conflict by ignoring the error of the inner one.
        const body = Effect.andThen(
          Effect.sync(() => outer++),
          Effect.ignore(within)
        )
        yield* withTimePassing(records.transaction(body))
      })
    )
    expect([outer, inner]).toEqual([2, 2])
  })
})

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
  it("is rolled back and dies of the violation, even if the error is caught", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        yield* records.insert(itemsTable, itemRow("1"))
        const exit = yield* records
          .transaction(
            Effect.gen(function* () {
              yield* records.insert(itemsTable, itemRow("2"))
              yield* Effect.ignore(records.tryInsert(itemsTable, itemRow("1")))
            })
          )
          .pipe(Effect.exit)
        // The type of the transaction does not name the violation, whose query was the only one to declare it.
        expect(exit).toEqual(Exit.die(new UniqueViolation({ table: "items" })))
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
            })
          )
        )
      }),
      ({ insert, find }) => ({
        insert: (table, rows) =>
          Effect.andThen(
            Effect.sync(() => calls.push("insert")),
            insert(table, rows)
          ),
        find: (table, options) =>
          Effect.andThen(
            Effect.sync(() => calls.push("find")),
            find(table, options)
          )
      })
    )
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
        expect(rows.map(({ id }) => id)).toEqual(["1", "3"])
      })
    ))
})

describe("a violation that the verb does not declare is a defect", () => {
  const dies = (name: string, verb: (records: Records["Service"]) => Effect.Effect<unknown, unknown>) =>
    it(name, () =>
      run(
        Effect.gen(function* () {
          const records = yield* Records
          yield* records.insertMany(itemsTable, [itemRow("1", { name: "a" }), itemRow("2", { of: "1" })])
          for (const effect of [verb(records), records.transaction(verb(records))]) {
            const exit = yield* Effect.exit(effect)
            expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause) && !Cause.hasFails(exit.cause)).toBe(
              true
            )
          }
          expect(yield* records.count(itemsTable, Where.all)).toBe(2)
        })
      )
    )

  dies("inserting a reference to a missing row", (records) =>
    records.tryInsert(itemsTable, itemRow("3", { of: "9" }))
  )
  dies("removing a referenced row", (records) => records.remove(itemsTable, byId("1")))
  dies("inserting an existing key with `insert`", (records) => records.insert(itemsTable, itemRow("1")))
  dies("updating a unique column to an existing value with `update`", (records) =>
    records.update(itemsTable, byId("2"), { name: "a" })
  )
})

describe("a cache of rows", () => {
  it("returns the cached value until a commit, and does not cache values of open transactions", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        const cache = makeVersionedCache<{
          readonly names: ReadonlyArray<string | null>
          readonly size: number
        }>(records, "test", 10, { sizeOf: ({ size }) => size, bySnapshot: true })
        const loadNames = (size = 1) =>
          cache({ key: String(size), scopes: () => [] }, () =>
            Effect.map(records.find(itemsTable, {}), (rows) => ({
              size,
              names: rows.map(({ name }) => name)
            }))
          )
        yield* records.insert(itemsTable, itemRow("1", { name: "a" }))
        const first = yield* loadNames()
        expect(yield* loadNames()).toBe(first)
        expect(Object.isFrozen(first)).toBe(true)
        const rolledBack = records.transaction(
          Effect.gen(function* () {
            yield* records.update(itemsTable, byId("1"), { name: "b" })
            expect((yield* loadNames())!.names).toEqual(["b"])
            return yield* Effect.fail("rolled back")
          })
        )
        yield* Effect.exit(rolledBack)
        expect(yield* loadNames()).toBe(first)
        yield* records.update(itemsTable, byId("1"), { name: "c" })
        expect((yield* loadNames())!.names).toEqual(["c"])
        // Values that are larger than the cache are computed each time.
        expect(yield* loadNames(11)).not.toBe(yield* loadNames(11))
      })
    ))

  it("reads the rows again within a request that has changed them", () =>
    run(
      Effect.gen(function* () {
        const records = yield* Records
        const cache = makeVersionedCache<{ readonly name: string | null }>(records, "test", 10, {
          bySnapshot: true
        })
        const load = cache({ key: "1", scopes: () => [] }, () =>
          Effect.map(records.get(itemsTable, { id: "1" }), (row) => ({ name: row!.name }))
        )
        yield* records.insert(itemsTable, itemRow("1", { name: "a" }))
        const names = records.cacheVersions.sharing(
          Effect.gen(function* () {
            const before = yield* load
            yield* records.update(itemsTable, byId("1"), { name: "b" })
            const updated = yield* load
            yield* records.transaction(records.update(itemsTable, byId("1"), { name: "c" }))
            return [before!.name, updated!.name, (yield* load)!.name]
          })
        )
        expect(yield* names).toEqual(["a", "b", "c"])
      })
    ))
})
