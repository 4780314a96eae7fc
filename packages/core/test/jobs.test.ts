/** Background jobs: they take effect exactly once, although workers crash, stall and fail. */
import {
  Ids,
  JobFailed,
  type JobHandler,
  JobLease,
  Jobs,
  jobs,
  maximumAttempts,
  Records,
  Table,
  tables,
  Where
} from "@lectern/core"
import { makeMovableClock, runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Fiber, Layer, ManagedRuntime, References } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** The effects of the jobs in these tests: the number of times that each was stored. */
const effects = Table.make("effects", {
  columns: { name: Table.text(), times: Table.integer() },
  key: ["name"]
})

/** Opens a queue on the in-memory store, with a clock that the test advances. */
const openQueue = () => {
  const time = makeMovableClock()
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(Jobs.layer).pipe(
      Layer.provideMerge(Ids.layer),
      Layer.provideMerge(Records.layer),
      Layer.provide(MemoryStorage.layer([...tables, effects])),
      Layer.provide(Layer.succeed(JobLease, 60_000))
    )
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Jobs | Records>) =>
    runtime.runPromise(
      effect.pipe(
        Effect.provideService(Clock.Clock, time.clock),
        Effect.provideService(References.MinimumLogLevel, "None")
      )
    )
  return { time, run, runtime }
}

const inQueue = <A, E, R>(use: (queue: Jobs["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Jobs, use)

/** Reads the number of times that each job was stored, by its name. */
const storedTimes = Effect.flatMap(Records, (records) =>
  Effect.map(records.find(effects, {}), (rows) => new Map(rows.map(({ name, times }) => [name, times])))
)
const store = (name: string) =>
  Effect.flatMap(Records, (records) =>
    Effect.gen(function* () {
      yield* records.insertMissing(effects, [{ name, times: 0 }])
      yield* records.update(effects, Where.eq("name", name), {}, { times: 1 })
    })
  )

describe("a job", () => {
  it("stores its result exactly once, although workers crash, stall and fail", async () => {
    const outcome = fc.constantFrom("succeeds", "fails", "crashes", "stalls", "throws" as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(outcome, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (outcomes) => {
          const { time, run, runtime } = openQueue()
          const records = await run(Effect.flatMap(Records, Effect.succeed))
          const attempts = new Map<string, number>()
          const handler: JobHandler = {
            kind: "work",
            run: (payload) =>
              Effect.gen(function* () {
                const name = String(payload)
                const attempt = attempts.get(name) ?? 0
                attempts.set(name, attempt + 1)
                const storeOnce = Effect.provideService(store(name), Records, records)
                switch (outcomes[Number(name)]![attempt]) {
                  case "fails":
                    return yield* new JobFailed({ message: "It failed." })
                  case "throws":
                    return yield* Effect.die(new Error("It threw."))
                  case "crashes":
                    return yield* Effect.interrupt
                  case "stalls":
                    // The lease expires, so another worker claims the job. This attempt must not store its result.
                    time.advance(61_000)
                    return storeOnce
                  default:
                    return storeOnce
                }
              })
          }
          const handlers = new Map([[handler.kind, handler]])
          for (const index of outcomes.keys())
            await run(inQueue((queue) => queue.enqueue("work", String(index))))
          const work = () =>
            run(
              inQueue((queue) => Effect.forkChild(queue.runOne(handlers)).pipe(Effect.flatMap(Fiber.await)))
            )
          for (let i = 0; i < 200; i++) {
            await Promise.all([work(), work()])
            time.advance(120_000)
            if ((await run(inQueue((queue) => queue.waiting))).length === 0) break
          }
          expect(await run(inQueue((queue) => queue.waiting))).toEqual([])
          expect(await run(inQueue((queue) => queue.dead))).toEqual([])
          expect(await run(storedTimes)).toEqual(new Map(outcomes.map((_, index) => [String(index), 1])))
          await runtime.dispose()
        }
      ),
      runs(60)
    )
  })

  it("is enqueued only if the transaction that enqueues it commits", async () => {
    const { run, runtime } = openQueue()
    const enqueue = inQueue((queue) => queue.enqueue("work", 1))
    const rolledBack = Effect.flatMap(Records, (records) =>
      records.transaction(Effect.andThen(enqueue, Effect.fail("rolled back" as const)))
    )
    await expect(run(rolledBack)).rejects.toBe("rolled back")
    expect(await run(inQueue((queue) => queue.waiting))).toEqual([])
    await runtime.dispose()
  })

  it("is retried with backoff when it fails, then dead-lettered, and can be revived", async () => {
    const { time, run, runtime } = openQueue()
    let tries = 0
    let deadLettered = 0
    const handler: JobHandler = {
      kind: "work",
      run: () => {
        tries++
        return Effect.fail(new JobFailed({ message: "It failed." }))
      },
      onDead: () => Effect.sync(() => void deadLettered++)
    }
    const runOne = () => run(inQueue((queue) => queue.runOne(new Map([["work", handler]]))))
    await run(inQueue((queue) => queue.enqueue("work", 1)))
    const pauses: Array<number> = []
    for (let seconds = 0, last = 0; tries < maximumAttempts; seconds++) {
      if (await runOne()) {
        pauses.push(seconds - last)
        last = seconds
      } else time.advance(1_000)
    }
    expect(pauses.slice(1).every((pause, index) => index === 0 || pause > pauses[index]!)).toBe(true)
    time.advance(24 * 60 * 60_000)
    expect(await runOne()).toBe(false)
    const [dead] = await run(inQueue((queue) => queue.dead))
    expect([dead?.error, dead?.attempts, deadLettered]).toEqual(["It failed.", maximumAttempts, 1])
    await run(inQueue((queue) => queue.revive(dead!.id)))
    expect(await runOne()).toBe(true)
    await expect(run(inQueue((queue) => queue.revive("nothing")))).rejects.toMatchObject({ _tag: "NotFound" })
    await runtime.dispose()
  })

  it("is scheduled once when several processes schedule it, and recurs", async () => {
    const { time, run, runtime } = openQueue()
    let times = 0
    const handler: JobHandler = {
      kind: "work",
      everyMillis: 60_000,
      run: () =>
        Effect.sync(() => {
          times++
          return Effect.void
        })
    }
    const handlers = new Map([["work", handler]])
    for (let i = 0; i < 3; i++) await run(inQueue((queue) => queue.schedule([handler])))
    for (let minute = 1; minute <= 3; minute++) {
      expect(await run(inQueue((queue) => queue.runOne(handlers)))).toBe(true)
      expect(await run(inQueue((queue) => queue.runOne(handlers)))).toBe(false)
      expect(times).toBe(minute)
      time.advance(60_000)
    }
    expect(await run(Effect.flatMap(Records, (records) => records.count(jobs, Where.all)))).toBe(1)
    await runtime.dispose()
  })

  it("is not claimed by a worker without a handler of its kind", async () => {
    const { run, runtime } = openQueue()
    await run(inQueue((queue) => queue.enqueue("other", 1)))
    const handler: JobHandler = { kind: "work", run: () => Effect.succeed(Effect.void) }
    expect(await run(inQueue((queue) => queue.runOne(new Map([["work", handler]]))))).toBe(false)
    await runtime.dispose()
  })
})
