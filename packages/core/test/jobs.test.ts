/** Background jobs: every enqueued job takes effect exactly once, even if workers fail, die or stall. */
import {
  Ids,
  JobFailed,
  type JobHandler,
  JobLease,
  JobReleaseTimeout,
  Jobs,
  jobs,
  maximumAttempts,
  Records,
  type RecordsAdapter,
  Table,
  tables,
  Where
} from "@lectern/core"
import { runs } from "@lectern/harness"
import { Fault, FaultyStorage, MemoryStorage } from "@lectern/testkit"
import { makeMovableClock } from "@lectern/testkit/model"
import { Clock, Deferred, Effect, Fiber, Layer, ManagedRuntime, References } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** The rows that jobs write in these tests: the number of their executions. */
const effects = Table.make("effects", {
  columns: { name: Table.text(), times: Table.integer() },
  key: ["name"]
})

/** Opens a queue on an in-memory store, with a clock that the test controls. */
const open = (storage: Layer.Layer<RecordsAdapter, unknown> = MemoryStorage.layer([...tables, effects])) => {
  const time = makeMovableClock()
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(Jobs.layer).pipe(
      Layer.provideMerge(Ids.layer),
      Layer.provideMerge(Records.layer),
      Layer.provide(storage),
      Layer.provide(Layer.succeed(JobLease, 60_000)),
      Layer.provide(Layer.succeed(JobReleaseTimeout, 100))
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

const withQueue = <A, E, R>(use: (queue: Jobs["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Jobs, use)

/** The number of stored executions by the name of the job. */
const storedExecutions = Effect.flatMap(Records, (records) =>
  Effect.map(records.find(effects, {}), (rows) => new Map(rows.map(({ name, times }) => [name, times])))
)
const storeExecution = (name: string) =>
  Effect.flatMap(Records, (records) =>
    Effect.gen(function* () {
      yield* records.insertMissing(effects, [{ name, times: 0 }])
      yield* records.update(effects, Where.eq("name", name), {}, { times: 1 })
    })
  )

/** Yields to the event loop, so that fibers proceed. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("a job", () => {
  it("stores its result exactly once if workers fail, die or stall", async () => {
    const attemptOutcome = fc.constantFrom("done", "fails", "stops", "stalls", "breaks" as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(attemptOutcome, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (outcomesByJob) => {
          const { time, run, runtime } = open()
          const records = await run(Effect.flatMap(Records, Effect.succeed))
          const attempts = new Map<string, number>()
          const handler: JobHandler = {
            kind: "work",
            run: (payload) =>
              Effect.gen(function* () {
                const name = String(payload)
                const attempt = attempts.get(name) ?? 0
                attempts.set(name, attempt + 1)
                const write = Effect.provideService(storeExecution(name), Records, records)
                switch (outcomesByJob[Number(name)]![attempt]) {
                  case "fails":
                    return yield* new JobFailed({ message: "It failed." })
                  case "breaks":
                    return yield* Effect.die(new Error("It broke."))
                  case "stops":
                    return yield* Effect.interrupt
                  case "stalls":
                    // The lease expires and another worker claims the job before this attempt writes.
                    time.advance(61_000)
                    return write
                  default:
                    return write
                }
              })
          }
          const handlers = new Map([[handler.kind, handler]])
          for (const index of outcomesByJob.keys())
            await run(withQueue((queue) => queue.enqueue("work", String(index))))
          const work = () =>
            run(
              withQueue((queue) => Effect.forkChild(queue.runOne(handlers)).pipe(Effect.flatMap(Fiber.await)))
            )
          for (let i = 0; i < 200; i++) {
            await Promise.all([work(), work()])
            time.advance(120_000)
            if ((await run(withQueue((queue) => queue.waiting))).length === 0) break
          }
          expect(await run(withQueue((queue) => queue.waiting))).toEqual([])
          expect(await run(withQueue((queue) => queue.dead))).toEqual([])
          expect(await run(storedExecutions)).toEqual(
            new Map(outcomesByJob.map((_, index) => [String(index), 1]))
          )
          await runtime.dispose()
        }
      ),
      runs(60)
    )
  })

  it("is not enqueued if the transaction that enqueues it is rolled back", async () => {
    const { run, runtime } = open()
    const enqueued = withQueue((queue) => queue.enqueue("work", 1))
    const rolledBack = Effect.flatMap(Records, (records) =>
      records.transaction(Effect.andThen(enqueued, Effect.fail("rolled back" as const)))
    )
    await expect(run(rolledBack)).rejects.toBe("rolled back")
    expect(await run(withQueue((queue) => queue.waiting))).toEqual([])
    await runtime.dispose()
  })

  it("that fails is retried with growing delays, then dead-lettered, and can be revived", async () => {
    const { time, run, runtime } = open()
    let attempts = 0
    let deadLettered = 0
    const handler: JobHandler = {
      kind: "work",
      run: () => {
        attempts++
        return Effect.fail(new JobFailed({ message: "It failed." }))
      },
      onDead: () => Effect.sync(() => void deadLettered++)
    }
    const runOne = () => run(withQueue((queue) => queue.runOne(new Map([["work", handler]]))))
    await run(withQueue((queue) => queue.enqueue("work", 1)))
    const delays: Array<number> = []
    for (let seconds = 0, last = 0; attempts < maximumAttempts; seconds++) {
      if (await runOne()) {
        delays.push(seconds - last)
        last = seconds
      } else time.advance(1_000)
    }
    expect(delays.slice(1).every((delay, index) => index === 0 || delay > delays[index]!)).toBe(true)
    time.advance(24 * 60 * 60_000)
    expect(await runOne()).toBe(false)
    const [dead] = await run(withQueue((queue) => queue.dead))
    expect([dead?.error, dead?.attempts, deadLettered]).toEqual(["It failed.", maximumAttempts, 1])
    await run(withQueue((queue) => queue.revive(dead!.id)))
    expect(await runOne()).toBe(true)
    await expect(run(withQueue((queue) => queue.revive("nothing")))).rejects.toMatchObject({
      _tag: "NotFound"
    })
    await runtime.dispose()
  })

  it("whose worker is killed in each attempt is dead-lettered", async () => {
    const { time, run, runtime } = open()
    let executions = 0
    let deadLettered = 0
    const handler: JobHandler = {
      kind: "work",
      run: () =>
        Effect.sync(() => {
          executions++
          return Effect.void
        }),
      onDead: () => Effect.sync(() => void deadLettered++)
    }
    const handlers = new Map([["work", handler]])
    await run(withQueue((queue) => queue.enqueue("work", 1)))
    for (let attempt = 1; attempt <= maximumAttempts; attempt++) {
      // A killed worker has claimed the job, and does nothing afterwards.
      expect(await run(withQueue((queue) => queue.claim(handlers)))).toMatchObject({ attempts: attempt })
      time.advance(60_001)
    }
    expect(await run(withQueue((queue) => queue.runOne(handlers)))).toBe(true)
    const [dead] = await run(withQueue((queue) => queue.dead))
    expect([executions, deadLettered, dead?.error]).toEqual([
      0,
      1,
      "The worker stopped during the last attempt."
    ])
    expect(await run(withQueue((queue) => queue.runOne(handlers)))).toBe(false)
    await runtime.dispose()
  })

  it("that recurs has one row, regardless of the number of schedulers, and runs at its interval", async () => {
    const { time, run, runtime } = open()
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
    for (let i = 0; i < 3; i++) await run(withQueue((queue) => queue.schedule([handler])))
    for (let minute = 1; minute <= 3; minute++) {
      expect(await run(withQueue((queue) => queue.runOne(handlers)))).toBe(true)
      expect(await run(withQueue((queue) => queue.runOne(handlers)))).toBe(false)
      expect(times).toBe(minute)
      time.advance(60_000)
    }
    expect(await run(Effect.flatMap(Records, (records) => records.count(jobs, Where.all)))).toBe(1)
    await runtime.dispose()
  })

  it("is released by every interrupted worker: due immediately, with all attempts, and stored once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }), async (turns) => {
        const { run, runtime } = open()
        const records = await run(Effect.flatMap(Records, Effect.succeed))
        const handler: JobHandler = {
          kind: "work",
          run: () =>
            Effect.as(
              Effect.promise(async () => {
                for (let turn = 0; turn < 3; turn++) await nextTurn()
              }),
              Effect.provideService(storeExecution("0"), Records, records)
            )
        }
        const handlers = new Map([["work", handler]])
        await run(withQueue((queue) => queue.enqueue("work", 1)))
        for (const count of turns) {
          await run(
            Effect.gen(function* () {
              const fiber = yield* Effect.forkChild(withQueue((queue) => queue.runOne(handlers)))
              yield* Effect.promise(async () => {
                for (let turn = 0; turn < count; turn++) await nextTurn()
              })
              yield* Fiber.interrupt(fiber)
            })
          )
        }
        const waiting = await run(withQueue((queue) => queue.waiting))
        const isStored = (await run(storedExecutions)).get("0") === 1
        expect(waiting.map(({ attempts }) => attempts)).toEqual(isStored ? [] : [0])
        // The clock has not advanced, so a job that still had a lease would not be due.
        expect(await run(withQueue((queue) => queue.runOne(handlers)))).toBe(!isStored)
        expect(await run(storedExecutions)).toEqual(new Map([["0", 1]]))
        await runtime.dispose()
      }),
      runs(60)
    )
  })

  it("does not block the interruption of a worker while the store does not respond to its claim", async () => {
    for (const step of [Fault.at.verb("claim", "jobs"), Fault.at.response]) {
      const storage = FaultyStorage.make(MemoryStorage.layer([...tables, effects]))
      const { run, runtime } = open(storage.layer)
      const handler: JobHandler = { kind: "work", run: () => Effect.succeed(Effect.void) }
      await run(withQueue((queue) => queue.enqueue("work", 1)))
      const reached = Deferred.makeUnsafe<void>()
      storage.inject(Fault.hang(step, () => Deferred.doneUnsafe(reached, Effect.void)))
      await run(
        Effect.gen(function* () {
          const fiber = yield* Effect.forkChild(
            withQueue((queue) => queue.runOne(new Map([["work", handler]])))
          )
          yield* Deferred.await(reached)
          yield* Fiber.interrupt(fiber)
        })
      )
      await runtime.dispose()
    }
  })

  it("of a kind without a handler in this process is not claimed", async () => {
    const { run, runtime } = open()
    await run(withQueue((queue) => queue.enqueue("other", 1)))
    const handler: JobHandler = { kind: "work", run: () => Effect.succeed(Effect.void) }
    expect(await run(withQueue((queue) => queue.runOne(new Map([["work", handler]]))))).toBe(false)
    await runtime.dispose()
  })
})
