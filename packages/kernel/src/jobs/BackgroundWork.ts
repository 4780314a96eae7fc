/** The workers of a workspace, which run the background jobs of its features. */

import { Clock, Context, Effect, Layer, Queue, Schedule, Semaphore } from "effect"
import type { StorageUnavailable } from "../storage/index.ts"
import type { JobRow } from "./Job.ts"
import { type JobHandler, Jobs } from "./Jobs.ts"
import type { Worker } from "./Worker.ts"

/** How long idle workers wait before they poll a store without signals again, in milliseconds. */
const pollMs = 500

/** How long idle workers wait for a signal, in milliseconds. Signals can be lost. */
const pollWithSignalsMs = 5_000

/** How long a worker waits before it retries while the store is unavailable. */
const storeBackoff = "5 seconds"

/** The maximum number of jobs that a process runs concurrently; 4 by default. */
export const JobConcurrency = Context.Reference<number>("@lectern/core/JobConcurrency", {
  defaultValue: () => 4
})

/** The interval of searches for jobs that a wrong clock has scheduled, in milliseconds: 1 minute. */
const rescheduleIntervalMs = 60_000

/** The workers of a workspace. Any number of processes on one store can run workers. */
export interface BackgroundWorkService {
  /** Runs one due job and returns true, or returns false if no job is due. */
  readonly runNext: Effect.Effect<boolean, StorageUnavailable>
  /** Runs due jobs and deliveries until none is due, and returns their number. For tests, and for hosts with a scheduler of their own. */
  readonly drain: Effect.Effect<number, StorageUnavailable>
  /**
   * Runs due jobs until it is interrupted, at most {@link JobConcurrency} concurrently. It wakes when a job is enqueued
   * by any process or is due, if the store supports signals, and polls the store every 500 ms otherwise. It retries
   * after 5 s while the store is unavailable. An interruption releases the running jobs, which other processes can claim
   * immediately.
   */
  readonly run: Effect.Effect<never>
}

const makeBackgroundWork = Effect.fnUntraced(function* (
  declared: ReadonlyArray<JobHandler>,
  workers: ReadonlyArray<Worker>
): Effect.fn.Return<BackgroundWorkService, never, Jobs> {
  const jobs = yield* Jobs
  const handlers = new Map(declared.map((handler) => [handler.kind, handler]))
  const duplicate = declared.find((handler) => handlers.get(handler.kind) !== handler)
  if (duplicate !== undefined) {
    return yield* Effect.die(new TypeError(`Two features declare jobs of the kind "${duplicate.kind}".`))
  }

  const runNext = Effect.suspend(() => jobs.runOne(handlers))

  /** Waits for a signal, until the next job is due, or until the next poll. */
  const waitForWork = (signals: Queue.Queue<void>) =>
    Effect.gen(function* () {
      if (jobs.subscribe === undefined) return yield* Effect.sleep(pollMs)
      const dueAt = yield* jobs.nextDueAt(handlers)
      const untilDue =
        dueAt === undefined ? pollWithSignalsMs : Date.parse(dueAt) - (yield* Clock.currentTimeMillis)
      const waitMs = Math.min(Math.max(untilDue, 0) + 1, pollWithSignalsMs)
      yield* Effect.raceFirst(Queue.take(signals), Effect.sleep(waitMs))
    })

  const pauseIfUnavailable = <A>(effect: Effect.Effect<A, StorageUnavailable>) =>
    Effect.catchTag(effect, "StorageUnavailable", (error) =>
      Effect.as(
        Effect.andThen(
          Effect.logWarning("jobs", error.reason, error.detail),
          Effect.interruptible(Effect.sleep(storeBackoff))
        ),
        undefined
      )
    )

  return {
    runNext,

    drain: Effect.gen(function* () {
      let count = 0
      yield* jobs.rescheduleLate(handlers)
      for (;;) {
        const before = count
        // Workers first, because they number events, which enqueue jobs.
        for (const { runDue } of workers) count += yield* runDue
        while (yield* runNext) count++
        if (count === before) return count
      }
    }),

    run: Effect.scoped(
      Effect.gen(function* () {
        const concurrency = yield* JobConcurrency
        const signals = yield* Queue.sliding<void>(1)
        yield* jobs.subscribe?.(() => Queue.offerUnsafe(signals, undefined)) ?? Effect.void
        yield* jobs.schedule(declared).pipe(Effect.retry(Schedule.spaced(storeBackoff)))
        // One idle worker polls for all.
        const polling = yield* Semaphore.make(1)
        let rescheduledAt = Number.NEGATIVE_INFINITY
        /** Reschedules jobs that a wrong clock has scheduled, once a minute and when the clock jumps. */
        const reschedule = Effect.gen(function* () {
          const time = yield* Clock.currentTimeMillis
          if (Math.abs(time - rescheduledAt) < rescheduleIntervalMs) return
          yield* jobs.rescheduleLate(handlers)
          rescheduledAt = time
        })
        const claimNext: Effect.Effect<JobRow> = Effect.gen(function* () {
          for (;;) {
            yield* pauseIfUnavailable(Effect.interruptible(reschedule))
            const job = yield* pauseIfUnavailable(jobs.claim(handlers))
            if (job !== undefined) return job
            yield* pauseIfUnavailable(Effect.interruptible(waitForWork(signals)))
          }
        })
        const worker = Effect.gen(function* () {
          for (;;) {
            yield* Effect.interruptible(polling.take(1))
            const job = yield* Effect.ensuring(claimNext, polling.release(1))
            yield* pauseIfUnavailable(jobs.process(job, handlers))
          }
        }).pipe(Effect.uninterruptible)
        return yield* Effect.all(
          [...Array.from({ length: concurrency }, () => worker), ...workers.map(({ run }) => run)],
          {
            concurrency: "unbounded",
            discard: true
          }
        )
      })
    ) as Effect.Effect<never>
  }
})

/** Runs the background jobs of a workspace: see {@link BackgroundWorkService}. */
export class BackgroundWork extends Context.Service<BackgroundWork, BackgroundWorkService>()(
  "@lectern/core/BackgroundWork"
) {
  /** Provides the workers for these job handlers, and other workers. Dies if two handlers have the same kind. */
  static readonly layerOf = <R, R2>(
    handlers: Effect.Effect<ReadonlyArray<JobHandler>, never, R>,
    workers: Effect.Effect<ReadonlyArray<Worker>, never, R2>
  ): Layer.Layer<BackgroundWork, never, Jobs | R | R2> =>
    Layer.effect(
      BackgroundWork,
      Effect.flatMap(Effect.all([handlers, workers]), ([handlers, workers]) =>
        makeBackgroundWork(handlers, workers)
      )
    )
}
