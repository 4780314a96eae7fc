/** Background work: what is asked for is done, whatever happens to those who do it. */
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

/** What jobs store, in these tests: how often each was done. */
const effects = Table.make("effects", {
  columns: { name: Table.text(), times: Table.integer() },
  key: ["name"]
})

/** A queue on a store in memory, with a clock that the test moves. */
const open = () => {
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

/** What jobs have stored, by the name of each: how often. */
const stored = Effect.flatMap(Records, (records) =>
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
  it("is done exactly once where it stores, whoever dies, stalls or fails over it", async () => {
    const happening = fc.constantFrom("done", "fails", "dies", "stalls", "breaks" as const)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(happening, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        async (stories) => {
          const { time, run, runtime } = open()
          const records = await run(Effect.flatMap(Records, Effect.succeed))
          const tries = new Map<string, number>()
          const handler: JobHandler = {
            kind: "work",
            run: (payload) =>
              Effect.gen(function* () {
                const name = String(payload)
                const attempt = tries.get(name) ?? 0
                tries.set(name, attempt + 1)
                const keep = Effect.provideService(store(name), Records, records)
                switch (stories[Number(name)]![attempt]) {
                  case "fails":
                    return yield* new JobFailed({ message: "It failed." })
                  case "breaks":
                    return yield* Effect.die(new Error("It broke."))
                  case "dies":
                    return yield* Effect.interrupt
                  case "stalls":
                    // It goes on after somebody else has taken the job, and would store then.
                    time.advance(61_000)
                    return keep
                  default:
                    return keep
                }
              })
          }
          const handlers = new Map([[handler.kind, handler]])
          for (const index of stories.keys())
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
          expect(await run(stored)).toEqual(new Map(stories.map((_, index) => [String(index), 1])))
          await runtime.dispose()
        }
      ),
      runs(60)
    )
  })

  it("is asked for with what asks for it, or not", async () => {
    const { run, runtime } = open()
    const asked = inQueue((queue) => queue.enqueue("work", 1))
    const undone = Effect.flatMap(Records, (records) =>
      records.transaction(Effect.andThen(asked, Effect.fail("undone" as const)))
    )
    await expect(run(undone)).rejects.toBe("undone")
    expect(await run(inQueue((queue) => queue.waiting))).toEqual([])
    await runtime.dispose()
  })

  it("that fails is tried again with growing pauses, is dead in the end, and can be revived", async () => {
    const { time, run, runtime } = open()
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
    const one = () => run(inQueue((queue) => queue.runOne(new Map([["work", handler]]))))
    await run(inQueue((queue) => queue.enqueue("work", 1)))
    const pauses: Array<number> = []
    for (let seconds = 0, last = 0; tries < maximumAttempts; seconds++) {
      if (await one()) {
        pauses.push(seconds - last)
        last = seconds
      } else time.advance(1_000)
    }
    expect(pauses.slice(1).every((pause, index) => index === 0 || pause > pauses[index]!)).toBe(true)
    time.advance(24 * 60 * 60_000)
    expect(await one()).toBe(false)
    const [dead] = await run(inQueue((queue) => queue.dead))
    expect([dead?.error, dead?.attempts, deadLettered]).toEqual(["It failed.", maximumAttempts, 1])
    await run(inQueue((queue) => queue.revive(dead!.id)))
    expect(await one()).toBe(true)
    await expect(run(inQueue((queue) => queue.revive("nothing")))).rejects.toMatchObject({ _tag: "NotFound" })
    await runtime.dispose()
  })

  it("that recurs is there once, however many say so, and is done again and again", async () => {
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

  it("of a kind that nobody here does is left to others", async () => {
    const { run, runtime } = open()
    await run(inQueue((queue) => queue.enqueue("other", 1)))
    const handler: JobHandler = { kind: "work", run: () => Effect.succeed(Effect.void) }
    expect(await run(inQueue((queue) => queue.runOne(new Map([["work", handler]]))))).toBe(false)
    await runtime.dispose()
  })
})
