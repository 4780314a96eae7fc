/** Negative tests of Atomicity: it must report each of these broken services. */
import { Records, type StorageUnavailable, Table, Where } from "@lectern/core"
import { Atomicity, StoreContents } from "@lectern/harness"
import { FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { Cause, Effect, Exit, Layer, ManagedRuntime } from "effect"
import { describe, expect, it } from "vitest"

const counters = Table.make("counters", {
  columns: { id: Table.text(), count: Table.integer() },
  key: ["id"]
})
const tables = [counters]
const makeCounter = (id: string) => ({ id, count: 0 })

/** A service that transfers a count from one row to another. */
type Service = (records: Records["Service"]) => Effect.Effect<void, StorageUnavailable>

const add = (records: Records["Service"], id: string, count: number) =>
  Effect.asVoid(records.update(counters, Where.eq("id", id), {}, { count }))

/** Tries a service with each fault at each of its steps. */
const tryService = async (service: Service) => {
  const store = MemoryStorage.rewindable(tables)
  const storage = FaultyStorage.make(store.layer)
  const runtime = ManagedRuntime.make(Records.layer.pipe(Layer.provide(storage.layer)))
  const behind = ManagedRuntime.make(store.layer)
  const records = await runtime.runPromise(Records)
  await runtime.runPromise(records.insertMany(counters, [makeCounter("1"), makeCounter("2")]))
  const world: Atomicity.World = {
    storage,
    run: (effect) => runtime.runFork(effect),
    readContents: () => behind.runPromise(StoreContents.readContents(tables)),
    save: store.save
  }
  const operation = Effect.map(Effect.exit(service(records)), (exit): Atomicity.OperationResult => {
    if (Exit.isSuccess(exit)) return { outcome: "done", text: "moved" }
    const failure = Cause.findErrorOption(exit.cause)
    return failure._tag === "Some"
      ? { outcome: "unavailable", text: "unavailable" }
      : { outcome: "broken", text: "defect" }
  })
  const trials = await Atomicity.tryEachFault(world, operation)
  const ended = await world.readContents()
  await runtime.dispose()
  await behind.dispose()
  return { trials, ended: ended.get("counters") }
}

const expectViolation = (defect: string, message: RegExp, service: Service) =>
  it(`reports ${defect}`, async () => {
    expect((await tryService(service)).trials.violations.join("\n")).toMatch(message)
  })

describe("Atomicity.tryEachFault", () => {
  it("accepts a service that uses one transaction, and leaves its result", async () => {
    const { trials, ended } = await tryService((records) =>
      records.transaction(Effect.andThen(add(records, "1", -1), add(records, "2", 1)))
    )
    expect(trials.violations).toEqual([])
    expect(trials.steps.map(({ kind }) => kind)).toEqual(["begin", "verb", "verb", "commit", "response"])
    // Five kinds of faults at four steps, and four at the last, which cannot conflict.
    expect([trials.faultCount, trials.retryResult]).toEqual([24, "another"])
    expect(ended).toEqual(['[["count",-1],["id","1"]]', '[["count",1],["id","2"]]'])
  })

  expectViolation("a write that is split into two transactions", /left a partial effect/, (records) =>
    Effect.andThen(records.transaction(add(records, "1", -1)), records.transaction(add(records, "2", 1)))
  )

  expectViolation("writes without a transaction", /left a partial effect/, (records) =>
    Effect.andThen(add(records, "1", -1), add(records, "2", 1))
  )

  expectViolation("a swallowed error", /fail at step 4 \(commit\) ended with "done: moved"/, (records) =>
    records
      .transaction(Effect.andThen(add(records, "1", -1), add(records, "2", 1)))
      .pipe(Effect.catchTag("StorageUnavailable", () => Effect.void))
  )

  expectViolation(
    "a retry of a transaction that may have been committed",
    /left a partial effect/,
    (records) => {
      const transaction = records.transaction(Effect.andThen(add(records, "1", -1), add(records, "2", 1)))
      return Effect.retry(transaction, { times: 1 })
    }
  )

  expectViolation("an error that becomes a defect", /ended with "broken: defect"/, (records) =>
    Effect.orDie(records.transaction(add(records, "1", 1)))
  )

  expectViolation(
    "work that continues after an interruption",
    /took effect, expected no effect|left a partial effect/,
    (records) =>
      Effect.onInterrupt(records.transaction(add(records, "1", 1)), () => Effect.ignore(add(records, "1", 1)))
  )

  expectViolation(
    "state that is in memory and not in the store",
    /when it was retried/,
    (() => {
      let calls = 0
      return (records: Records["Service"]) =>
        records.transaction(
          Effect.suspend(() => {
            calls++
            return add(records, "1", calls > 1 ? 2 : 1)
          })
        )
    })()
  )
})
