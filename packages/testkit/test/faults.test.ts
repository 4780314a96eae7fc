/** The store with faults, and services that are broken on purpose: the law has to notice each of them. */
import {
  Administration,
  Records,
  RecordsAdapter,
  StorageConflict,
  StorageUnavailable,
  Table,
  Where,
  Workspace
} from "@lectern/core"
import { AllOrNothing, StoreContents } from "@lectern/harness"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { conformanceTables, conformanceTests, openStore } from "@lectern/testkit/conformance"
import { Cause, Effect, Exit, Fiber, Layer, ManagedRuntime, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it } from "vitest"

const things = Table.make("things", { columns: { id: Table.text(), count: Table.integer() }, key: ["id"] })
const tables = [things]
const thing = (id: string) => ({ id, count: 0 })
const { at } = Fault

const make = () => FaultyStorage.make(MemoryStorage.layer(tables))

/** What an effect that fails does so with. */
const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => (error as { readonly _tag: string })._tag)

const test = (
  name: string,
  body: (storage: FaultyStorage) => Effect.Effect<void, unknown, Records | RecordsAdapter | Scope.Scope>
) =>
  it(name, () => {
    const storage = make()
    const layer = Records.layer.pipe(Layer.provideMerge(storage.layer))
    return Effect.runPromise(Effect.provide(Effect.scoped(body(storage)), layer))
  })

const ids = Effect.flatMap(Records, (records) =>
  Effect.map(records.find(things, {}), (rows) => rows.map(({ id }) => id))
)
const insert = (id: string) => Effect.flatMap(Records, (records) => records.insert(things, thing(id)))
const inTransaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Records, (records) => records.transaction(self))

describe("a store without faults in it", () => {
  const storage = FaultyStorage.make(MemoryStorage.layer(conformanceTables))
  for (const about of ["transactions", "random steps"] as const) {
    for (const law of conformanceTests[about]) {
      it(`keeps the laws of ${about}: ${law.name}`, async () => {
        const store = openStore(storage.layer)
        try {
          await law.check(store.run)
        } finally {
          await store.close()
        }
      })
    }
  }
})

describe("a store with faults", () => {
  test("tells the steps that are passed", (storage) =>
    Effect.gen(function* () {
      yield* insert("1")
      yield* inTransaction(Effect.andThen(ids, inTransaction(insert("2"))))
      expect(storage.take().map(({ number, kind, verb, depth }) => [number, kind, verb, depth])).toEqual([
        [1, "verb", "insert", 0],
        [2, "answer", "insert", 0],
        [3, "begin", undefined, 0],
        [4, "verb", "find", 1],
        [5, "begin", undefined, 1],
        [6, "verb", "insert", 2],
        [7, "commit", undefined, 2],
        [8, "commit", undefined, 1],
        [9, "answer", undefined, 0]
      ])
      expect(storage.take()).toEqual([])
    }))

  test("fails at a verb of a table, once or so many times, and then no more", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.times(2, Fault.fail(at.verb("insert", "things"))))
      expect(storage.waiting()).toBe(2)
      expect(yield* failureOf(insert("1"))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual([])
      expect(yield* failureOf(insert("1"))).toBe("StorageUnavailable")
      yield* insert("1")
      expect([yield* ids, storage.waiting()]).toEqual([["1"], 0])
    }))

  test("fails at the n-th of the steps that are meant", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.fail(at.nth(3, at.table("things"))))
      yield* insert("1")
      yield* insert("2")
      expect(yield* failureOf(insert("3"))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual(["1", "2"])
    }))

  for (const where of ["begin", "commit"] as const) {
    test(`undoes a transaction that fails at ${where}`, (storage) =>
      Effect.gen(function* () {
        storage.inject(Fault.fail(at[where]))
        expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
        expect(yield* ids).toEqual([])
      }))
  }

  test("keeps what was committed though its answer is lost", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.times(2, Fault.fail(at.answer)))
      expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
      expect(yield* failureOf(insert("2"))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual(["1", "2"])
    }))

  test("undoes a transaction in which something failed, though nobody says so", (storage) =>
    Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      storage.inject(Fault.fail(at.all(at.inTransaction, at.verb("count"))))
      const quiet = Effect.exit(adapter.count(things, { op: "all" }))
      const whole = adapter.transaction(Effect.andThen(adapter.insert(things, [thing("1")]), quiet))
      expect(yield* failureOf(whole)).toBe("StorageUnavailable")
      expect(yield* ids).toEqual([])
    }))

  test("conflicts where transactions can meet, and Records tries again", (storage) =>
    Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      storage.inject(Fault.times(3, Fault.conflict(at.any)))
      // What only reads meets nobody.
      yield* ids
      expect(storage.waiting()).toBe(3)
      expect(yield* failureOf(adapter.transaction(Effect.void))).toBe("StorageConflict")
      yield* inTransaction(insert("1"))
      expect([yield* ids, storage.waiting()]).toEqual([["1"], 0])
    }))

  test("fails for good where conflicts do not end", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.times(1_000, Fault.conflict(at.commit)))
      expect(yield* failureOf(inTransaction(insert("1")))).toBe("StorageUnavailable")
      expect(yield* ids).toEqual([])
    }))

  test("is away from a lost connection to the next, and undoes what was open", (storage) =>
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

  test("undoes what was open when the connection is there again at once", (storage) =>
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

  test("takes longer by the clock, and waits for ever", (storage) =>
    Effect.gen(function* () {
      storage.inject(Fault.delay(at.table("things"), "10 minutes"))
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

/** A service that moves a count from one thing to another. */
type Service = (records: Records["Service"]) => Effect.Effect<void, StorageUnavailable>

const add = (records: Records["Service"], id: string, count: number) =>
  Effect.asVoid(records.update(things, Where.eq("id", id), {}, { count }))

/** What the law says of a service. */
const violations = async (service: Service) => {
  const store = MemoryStorage.rewindable(tables)
  const storage = FaultyStorage.make(store.layer)
  const runtime = ManagedRuntime.make(Records.layer.pipe(Layer.provide(storage.layer)))
  const behind = ManagedRuntime.make(store.layer)
  const records = await runtime.runPromise(Records)
  await runtime.runPromise(records.insertMany(things, [thing("1"), thing("2")]))
  const world: AllOrNothing.World = {
    storage,
    run: (effect) => runtime.runFork(effect),
    contents: () => behind.runPromise(StoreContents.readContents(tables)),
    save: store.save
  }
  const operation = Effect.map(Effect.exit(service(records)), (exit): AllOrNothing.Answer => {
    if (Exit.isSuccess(exit)) return { outcome: "done", text: "moved" }
    const failure = Cause.findErrorOption(exit.cause)
    return failure._tag === "Some"
      ? { outcome: "unavailable", text: "unavailable" }
      : { outcome: "broken", text: "defect" }
  })
  const trials = await AllOrNothing.tryEach(world, operation)
  const ended = await world.contents()
  await runtime.dispose()
  await behind.dispose()
  return { trials, ended: ended.get("things") }
}

const finds = (what: string, message: RegExp, service: Service) =>
  it(`notices ${what}`, async () => {
    expect((await violations(service)).trials.violations.join("\n")).toMatch(message)
  })

describe("the law of all or nothing", () => {
  it("holds for a service that does as it should, and leaves the world with it done", async () => {
    const { trials, ended } = await violations((records) =>
      records.transaction(Effect.andThen(add(records, "1", -1), add(records, "2", 1)))
    )
    expect(trials.violations).toEqual([])
    expect(trials.steps.map(({ kind }) => kind)).toEqual(["begin", "verb", "verb", "commit", "answer"])
    // Four steps with five kinds of faults, and one that nothing can be in the way of any more.
    expect([trials.tried, trials.again]).toEqual([24, "another"])
    expect(ended).toEqual(['[["count",-1],["id","1"]]', '[["count",1],["id","2"]]'])
  })

  finds("a write that is split into two transactions", /left it half done/, (records) =>
    Effect.andThen(records.transaction(add(records, "1", -1)), records.transaction(add(records, "2", 1)))
  )

  finds("writes that are in no transaction", /left it half done/, (records) =>
    Effect.andThen(add(records, "1", -1), add(records, "2", 1))
  )

  finds("an error that is swallowed", /fail at step 4 \(commit\) was answered "done: moved"/, (records) =>
    records
      .transaction(Effect.andThen(add(records, "1", -1), add(records, "2", 1)))
      .pipe(Effect.catchTag("StorageUnavailable", () => Effect.void))
  )

  finds(
    "a transaction that is tried again though it may have been committed",
    /left it half done/,
    (records) => {
      const transaction = records.transaction(Effect.andThen(add(records, "1", -1), add(records, "2", 1)))
      return Effect.retry(transaction, { times: 1 })
    }
  )

  finds("an error that becomes a defect", /was answered "broken: defect"/, (records) =>
    Effect.orDie(records.transaction(add(records, "1", 1)))
  )

  finds("what goes on after whoever asked has gone", /left whole of it|half done/, (records) =>
    Effect.onInterrupt(records.transaction(add(records, "1", 1)), () => Effect.ignore(add(records, "1", 1)))
  )

  finds(
    "what is in memory and not in the store",
    /when it was tried again/,
    (() => {
      let known = 0
      return (records: Records["Service"]) =>
        records.transaction(
          Effect.suspend(() => {
            known++
            return add(records, "1", known > 1 ? 2 : 1)
          })
        )
    })()
  )
})

it("a host's own code meets faults as the README shows", async () => {
  const faulty = FaultyStorage.make(MemoryStorage.layer())
  const workspace = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(faulty.layer)))
  const createUser = (email: string) =>
    Effect.flatMap(Administration, (administration) => administration.createUser({ email }))
  const outcome = async <A, E>(effect: Effect.Effect<A, E, Administration>) => {
    const exit = await workspace.runPromiseExit(effect)
    const error = Exit.isSuccess(exit) ? undefined : Cause.findErrorOption(exit.cause)
    return error?._tag === "Some" ? (error.value as { readonly _tag: string })._tag : "done"
  }
  faulty.inject(Fault.fail(at.verb("insert", "users")))
  expect(await outcome(createUser("ada@example.com"))).toBe("StorageUnavailable")
  expect(await outcome(createUser("ada@example.com"))).toBe("done")
  faulty.inject(Fault.fail(at.answer))
  expect(await outcome(createUser("bob@example.com"))).toBe("StorageUnavailable")
  expect(await outcome(createUser("bob@example.com"))).toBe("Conflict")
  faulty.inject(Fault.disconnect(at.nth(1, at.table("users"))))
  expect(await outcome(createUser("cy@example.com"))).toBe("StorageUnavailable")
  expect(await outcome(createUser("cy@example.com"))).toBe("StorageUnavailable")
  faulty.reconnect()
  expect(await outcome(createUser("cy@example.com"))).toBe("done")
  await workspace.dispose()
})

it("what a fault fails with is what the port fails with", async () => {
  const step: Fault.Step = { number: 1, kind: "begin", verb: undefined, table: undefined, depth: 0 }
  const control = { disconnect: () => {}, reconnect: () => {} }
  const errorOf = (fault: Fault.Fault) => Effect.runPromise(Effect.flip(fault.does(step, control)))
  expect(await errorOf(Fault.fail(at.any))).toBeInstanceOf(StorageUnavailable)
  expect(await errorOf(Fault.conflict(at.any))).toBeInstanceOf(StorageConflict)
})
