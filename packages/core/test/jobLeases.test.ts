/** A running job keeps its lease: its worker sends heartbeats before it ends, regardless of the duration of the job. */
import { Ids, type JobHandler, JobLease, Jobs, Records, tables } from "@lectern/core"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"

const leaseMs = 12_000

const services = Jobs.layer.pipe(
  Layer.provideMerge(Ids.layer),
  Layer.provideMerge(Records.layer),
  Layer.provide(MemoryStorage.layer(tables)),
  Layer.provide(Layer.succeed(JobLease, leaseMs)),
  Layer.provideMerge(TestClock.layer())
)

/** Lets the fibers that a step of the clock has woken finish their reads and writes. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})

it("is claimed by one worker only, although it runs for ten leases", () =>
  Effect.gen(function* () {
    const queue = yield* Jobs
    let runs = 0
    const handlers = new Map<string, JobHandler>([
      [
        "long",
        {
          kind: "long",
          locks: () => [],
          run: () =>
            Effect.gen(function* () {
              runs++
              yield* Effect.sleep(10 * leaseMs)
              return Effect.void
            })
        }
      ]
    ])
    yield* queue.enqueue("long", null)
    const worker = yield* Effect.forkChild(queue.runOne(handlers))
    yield* settle
    expect(runs).toBe(1)
    // Another process searches for work six times per lease.
    for (let step = 0; step < 59; step++) {
      yield* TestClock.adjust(leaseMs / 6)
      yield* settle
      const claimed = yield* queue.claim(handlers)
      expect([step, claimed]).toEqual([step, undefined])
    }
    yield* TestClock.adjust(leaseMs)
    yield* settle
    expect(yield* Fiber.join(worker)).toBe(true)
    expect([runs, yield* queue.waiting, yield* queue.dead]).toEqual([1, [], []])
  }).pipe(Effect.provide(services), Effect.runPromise))
