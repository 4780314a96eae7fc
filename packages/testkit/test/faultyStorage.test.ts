/** FaultyStorage conforms to `RecordsAdapter` without faults, and fails as real stores do with faults. */
import {
  Administration,
  Records,
  RecordsAdapter,
  StorageConflict,
  StorageUnavailable,
  Table,
  Workspace
} from "@lectern/core"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { conformanceTables, conformanceTests, openStore } from "@lectern/testkit/conformance"
import { Cause, Effect, Exit, Fiber, Layer, ManagedRuntime, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

const counters = Table.make("counters", {
  columns: { id: Table.text(), count: Table.integer() },
  key: ["id"]
})
const tables = [counters]
const makeCounter = (id: string) => ({ id, count: 0 })
const { at } = Fault

const makeStorage = () => FaultyStorage.make(MemoryStorage.layer(tables))

/** Returns the tag of the error with which an effect fails. */
const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error as { readonly _tag: string })._tag)

const test = (
  name: string,
  body: (storage: FaultyStorage) => Effect.Effect<void, unknown, Records | RecordsAdapter | Scope.Scope>
) =>
  it(name, () => {
    const storage = makeStorage()
    const layer = Records.layer.pipe(Layer.provideMerge(storage.layer))
    return Effect.runPromise(Effect.provide(Effect.scoped(body(storage)), layer))
  })

const ids = Effect.flatMap(Records, (records) =>
  Effect.map(records.find(counters, {}), (rows) => rows.map(({ id }) => id))
)
const insert = (id: string) => Effect.flatMap(Records, (records) => records.insert(counters, makeCounter(id)))
const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Records, (records) => records.transaction(self))

describe("FaultyStorage without faults", () => {
  const storage = FaultyStorage.make(MemoryStorage.layer(conformanceTables))
  for (const topic of ["transactions", "random steps"] as const) {
    for (const test of conformanceTests[topic]) {
      it(`conforms to RecordsAdapter, ${topic}: ${test.name}`, async () => {
        const store = openStore(storage.layer)
        try {
          await test.check(store.run)
        } finally {
          await store.close()
        }
      })
    }
  }
})

describe("FaultyStorage with faults", () => {
  test("records the steps that pass", (storage) =>
    Effect.gen(function* () {
      yield* insert("1")
      yield* inTransaction(Effect.andThen(ids, inTransaction(insert("2"))))
      expect(storage.takeSteps().map(({ number, kind, verb, depth }) => [number, kind, verb, depth])).toEqual(
        [
          [1, "verb", "insert", 0],
          [2, "response", "insert", 0],
          [3, "begin", undefined, 0],
          [4, "verb", "find", 1],
          [5, "begin", undefined, 1],
          [6, "verb", "insert", 2],
          [7, "commit", undefined, 2],
          [8, "commit", undefined, 1],
          [9, "response", undefined, 0]
        ]
      )
      expect(storage.takeSteps()).toEqual([])
    }))

  test("fails at a verb of a table as often as requested, and then succeeds", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.times(2, Fault.fail(at.verb("insert", "counters"))))
      expect(storage.countPendingFaults()).toBe(2)
      expect(yield* failureOf(insert("1"))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual([])
      expect(yield* failureOf(insert("1"))).toBe("StorageUnavailable")
      yield* insert("1")
      expect([yield* ids, storage.countPendingFaults()]).toEqual([["1"], 0])
    }))

  test("fails at the nth step that matches", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.fail(at.nth(3, at.table("counters"))))
      yield* insert("1")
      yield* insert("2")
      expect(yield* failureOf(insert("3"))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual(["1", "2"])
    }))

  for (const where of ["begin", "commit"] as const) {
    test(`rolls back a transaction that fails at ${where}`, (storage) =>
      Effect.gen(function* () {
        storage.inject(Fault.fail(at[where]))
        expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
        expect(yield* ids).toEqual([])
      }))
  }

  test("retains a commit whose response is lost", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.times(2, Fault.fail(at.response)))
      expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
      expect(yield* failureOf(insert("2"))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual(["1", "2"])
    }))

  test("rolls back a transaction in which a step failed, even if the failure is caught", (storage) =>
    Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      storage.inject(Fault.fail(at.allOf(at.inTransaction, at.verb("count"))))
      const quiet = Effect.exit(adapter.count(counters, { op: "all" }))
      const whole = adapter.transaction(Effect.andThen(adapter.insert(counters, [makeCounter("1")]), quiet))
      expect(yield* failureOf(whole)).toBe("StorageUnavailable")
      expect(yield* ids).toEqual([])
    }))

  test("conflicts only where transactions can conflict, and Records retries", (storage) =>
    Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      storage.inject(Fault.times(3, Fault.conflict(at.any)))
      // A read outside a transaction cannot conflict.
      yield* ids
      expect(storage.countPendingFaults()).toBe(3)
      expect(yield* failureOf(adapter.transaction(Effect.void))).toBe("StorageConflict")
      yield* inTransaction(insert("1"))
      expect([yield* ids, storage.countPendingFaults()]).toEqual([["1"], 0])
    }))

  test("fails permanently if conflicts do not end", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.times(1_000, Fault.conflict(at.commit)))
      expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual([])
    }))

  test("fails from disconnect to reconnect, and rolls back open transactions", (storage) =>
    Effect.gen(function* () {
      const lost = inTransaction(
        Effect.andThen(insert("1"), Effect.andThen(Effect.sync(storage.disconnect), ids))
      )
      expect(yield* failureOf(lost)).toBe("StorageUnavailable")
      expect(yield* failureOf(ids)).toBe("StorageUnavailable")
      expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
      storage.reconnect()
      expect(yield* ids).toEqual([])
      storage.inject(Fault.disconnect(at.commit))
      expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
      storage.heal()
      expect(yield* ids).toEqual([])
    }))

  test("rolls back open transactions when the connection is reset", (storage) =>
    Effect.gen(function* () {
      const reset = Effect.sync(() => {
        storage.disconnect()
        storage.reconnect()
      })
      expect(yield* failureOf(inTransaction(Effect.andThen(insert("1"), reset)))).toBe("StorageUnavailable")
      storage.inject(Fault.reset(at.verb("insert")))
      expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual([])
    }))

  test("delays a step by the clock, and hangs", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.delay(at.table("counters"), "10 minutes"))
      const late = yield* Effect.forkScoped(ids)
      yield* TestClock.adjust("9 minutes")
      expect(late.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(late)).toEqual([])
      let reached = false
      storage.inject(
        Fault.hang(at.commit, () => {
          reached = true
        })
      )
      const never = yield* Effect.forkScoped(inTransaction(insert("1")))
      yield* TestClock.adjust("1 hour")
      expect([reached, never.pollUnsafe()]).toEqual([true, undefined])
      yield* Fiber.interrupt(never)
      expect(yield* ids).toEqual([])
    }).pipe(Effect.provide(TestClock.layer())))
})

it("injects faults into a workspace, as the README shows", async () => {
  const faulty = FaultyStorage.make(MemoryStorage.layer())
  const workspace = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(faulty.layer)))
  const createUser = (email: string) =>
    Effect.flatMap(Administration, (administration) => administration.createUser({ input: { email } }))
  const outcome = async <A, E>(effect: Effect.Effect<A, E, Administration>) => {
    const exit = await workspace.runPromiseExit(effect)
    const error = Exit.isSuccess(exit) ? undefined : Cause.findErrorOption(exit.cause)
    return error?._tag === "Some" ? (error.value as { readonly _tag: string })._tag : "done"
  }
  faulty.inject(Fault.fail(at.verb("insert", "users")))
  expect(await outcome(createUser("ada@example.com"))).toBe("StorageUnavailable")
  expect(await outcome(createUser("ada@example.com"))).toBe("done")
  faulty.inject(Fault.fail(at.response))
  expect(await outcome(createUser("bob@example.com"))).toBe("StorageUnavailable")
  expect(await outcome(createUser("bob@example.com"))).toBe("Conflict")
  faulty.inject(Fault.disconnect(at.nth(1, at.table("users"))))
  expect(await outcome(createUser("cy@example.com"))).toBe("StorageUnavailable")
  expect(await outcome(createUser("cy@example.com"))).toBe("StorageUnavailable")
  faulty.reconnect()
  expect(await outcome(createUser("cy@example.com"))).toBe("done")
  await workspace.dispose()
})

it("fails with the errors of the port", async () => {
  const step: Fault.Step = { number: 1, kind: "begin", verb: undefined, table: undefined, depth: 0 }
  const control = { disconnect: () => {}, reconnect: () => {} }
  const errorOf = (fault: Fault.Fault) => Effect.runPromise(Effect.flip(fault.run(step, control)))
  expect(await errorOf(Fault.fail(at.any))).toBeInstanceOf(StorageUnavailable)
  expect(await errorOf(Fault.conflict(at.any))).toBeInstanceOf(StorageConflict)
})
