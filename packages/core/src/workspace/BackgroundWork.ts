/** The worker of a workspace, which runs the background jobs of its features. */
import { Context, Effect, Layer, Schedule } from "effect"
import { type JobHandler, Jobs } from "../kernel/jobs/Jobs.ts"
import type { StorageUnavailable } from "../kernel/storage/index.ts"

/** How long an idle worker waits before it polls for jobs again. */
const pollInterval = "500 millis"

/** How long a worker waits before it retries while the store is unavailable. */
const storeBackoff = "5 seconds"

/** The worker of a workspace. Any number of workers can run concurrently, in any number of processes on one store. */
export interface BackgroundWorkService {
  /** Runs one due job and returns true, or returns false if no job is due. */
  readonly runNext: Effect.Effect<boolean, StorageUnavailable>
  /** Runs due jobs until no job is due, and returns their number. For tests, and for hosts with a scheduler of their own. */
  readonly drain: Effect.Effect<number, StorageUnavailable>
  /**
   * Runs due jobs until it is interrupted. It polls the store every 500 ms, and retries after 5 s while the store is
   * unavailable.
   */
  readonly run: Effect.Effect<never>
}

const makeBackgroundWork = Effect.fnUntraced(function* (
  declared: ReadonlyArray<JobHandler>
): Effect.fn.Return<BackgroundWorkService, never, Jobs> {
  const jobs = yield* Jobs
  const handlers = new Map(declared.map((handler) => [handler.kind, handler]))
  const duplicate = declared.find((handler) => handlers.get(handler.kind) !== handler)
  if (duplicate !== undefined) {
    return yield* Effect.die(new TypeError(`Two features declare jobs of the kind "${duplicate.kind}".`))
  }

  const runNext = Effect.suspend(() => jobs.runOne(handlers))

  return {
    runNext,

    drain: Effect.gen(function* () {
      let count = 0
      while (yield* runNext) count++
      return count
    }),

    run: Effect.gen(function* () {
      yield* jobs.schedule(declared).pipe(Effect.retry(Schedule.spaced(storeBackoff)))
      for (;;) {
        const didWork = yield* runNext.pipe(
          Effect.catchTag("StorageUnavailable", (error) =>
            Effect.as(
              Effect.andThen(Effect.logWarning("jobs", error.reason), Effect.sleep(storeBackoff)),
              true
            )
          )
        )
        if (!didWork) yield* Effect.sleep(pollInterval)
      }
    }) as Effect.Effect<never>
  }
})

/** Runs the background jobs of a workspace: see {@link BackgroundWorkService}. */
export class BackgroundWork extends Context.Service<BackgroundWork, BackgroundWorkService>()(
  "@lectern/core/BackgroundWork"
) {
  /** Provides the worker for these job handlers. Dies if two handlers have the same kind. */
  static readonly layerOf = <R>(
    handlers: Effect.Effect<ReadonlyArray<JobHandler>, never, R>
  ): Layer.Layer<BackgroundWork, never, Jobs | R> =>
    Layer.effect(BackgroundWork, Effect.flatMap(handlers, makeBackgroundWork))
}
