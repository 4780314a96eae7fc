/** Properties of MemoryStorage that the conformance suite does not require of every store. */
import { Records, RecordsAdapter, Table } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { describe, expect, it } from "vitest"

const counters = Table.make("counters", {
  columns: { id: Table.text(), count: Table.integer(), data: Table.json<{ list: Array<number> }>() },
  key: ["id"]
})

const makeCounter = (id: string, list: Array<number> = []) => ({ id, count: 0, data: { list } })

const test = (name: string, effect: Effect.Effect<void, unknown, Records | RecordsAdapter>) =>
  it(name, () =>
    Effect.runPromise(
      Effect.provide(effect, Records.layer.pipe(Layer.provideMerge(MemoryStorage.layer([counters]))))
    )
  )

describe("MemoryStorage", () => {
  test(
    "does not block reads while a transaction is open",
    Effect.gen(function* () {
      const records = yield* Records
      const isWritten = yield* Deferred.make<void>()
      const canEnd = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        records.transaction(
          Effect.gen(function* () {
            yield* records.insert(counters, makeCounter("1"))
            yield* Deferred.succeed(isWritten, undefined)
            yield* Deferred.await(canEnd)
          })
        )
      )
      yield* Deferred.await(isWritten)
      expect(yield* records.find(counters, {})).toEqual([])
      yield* Deferred.succeed(canEnd, undefined)
      yield* Fiber.join(writer)
      expect(yield* records.find(counters, {})).toEqual([makeCounter("1")])
    })
  )

  test(
    "copies inserted rows, and returns frozen rows",
    Effect.gen(function* () {
      const records = yield* Records
      const list = [1]
      yield* records.insert(counters, makeCounter("1", list))
      list.push(2)
      const row = yield* records.get(counters, { id: "1" })
      expect(row).toEqual(makeCounter("1", [1]))
      expect(() => row?.data.list.push(3)).toThrow(TypeError)
      expect(yield* records.get(counters, { id: "1" })).toEqual(makeCounter("1", [1]))
    })
  )

  test(
    "dies on a value that a column cannot hold",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const insert = (count: unknown) => Effect.exit(store.insert(counters, [{ ...makeCounter("1"), count }]))
      for (const count of [null, undefined, "1", 0.5, 2 ** 53]) {
        const exit = yield* insert(count)
        expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
      }
      expect(Exit.isSuccess(yield* insert(1))).toBe(true)
    })
  )

  test(
    "serializes concurrent nested transactions",
    Effect.gen(function* () {
      const records = yield* Records
      const insert = (id: string) =>
        records.transaction(Effect.andThen(Effect.yieldNow, records.insert(counters, makeCounter(id))))
      yield* records.transaction(Effect.all([insert("1"), insert("2")], { concurrency: "unbounded" }))
      expect(yield* records.count(counters, { op: "all" })).toBe(2)
    })
  )

  test(
    "dies if a fiber writes in a transaction that has ended",
    Effect.gen(function* () {
      const records = yield* Records
      const canGo = yield* Deferred.make<void>()
      const late = Effect.andThen(Deferred.await(canGo), records.insert(counters, makeCounter("1")))
      const fiber = yield* records.transaction(Effect.forkDetach(late))
      yield* Deferred.succeed(canGo, undefined)
      const exit = yield* Fiber.await(fiber)
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
    })
  )

  test(
    "inserts 20,000 rows one by one without quadratic cost",
    Effect.gen(function* () {
      const records = yield* Records
      for (let n = 0; n < 20_000; n++) yield* records.insert(counters, makeCounter(`${n}`))
      expect(yield* records.get(counters, { id: "19999" })).toEqual(makeCounter("19999"))
    })
  )
})
