/** All that a workspace does in the background, and the worker that does it. */
import { Context, Effect, Layer, Schedule } from "effect"
import { type JobHandler, Jobs } from "../kernel/jobs/Jobs.ts"

/** How long an idle worker waits until it looks again. */
const idle = "500 millis"

/** How long it waits where the store is away. */
const away = "5 seconds"

const makeBackgroundWork = Effect.fnUntraced(function* (all: ReadonlyArray<JobHandler>) {
  const jobs = yield* Jobs
  const handlers = new Map(all.map((handler) => [handler.kind, handler]))
  const duplicate = all.find((handler) => handlers.get(handler.kind) !== handler)
  if (duplicate !== undefined) {
    return yield* Effect.die(new TypeError(`Two features declare jobs of the kind "${duplicate.kind}".`))
  }

  const one = Effect.suspend(() => jobs.runOne(handlers))

  return {
    /** Does one job that is due, and answers whether there was one. */
    one,

    /** Does all jobs that are due, and answers how many they were. For tests, and for hosts that call it themselves. */
    drain: Effect.gen(function* () {
      let done = 0
      while (yield* one) done++
      return done
    }),

    /** Works until it is interrupted. Any number of workers may, in any number of processes on one store. */
    forever: Effect.gen(function* () {
      yield* jobs.schedule(all).pipe(Effect.retry(Schedule.spaced(away)))
      for (;;) {
        const worked = yield* one.pipe(
          Effect.catchTag("StorageUnavailable", (error) =>
            Effect.as(Effect.andThen(Effect.logWarning("jobs", error.reason), Effect.sleep(away)), true)
          )
        )
        if (!worked) yield* Effect.sleep(idle)
      }
    }) as Effect.Effect<never>
  }
})

/** The methods of {@link BackgroundWork}. */
export interface BackgroundWorkService extends Effect.Success<ReturnType<typeof makeBackgroundWork>> {}

/** See the module's comment. */
export class BackgroundWork extends Context.Service<BackgroundWork, BackgroundWorkService>()(
  "@lectern/core/BackgroundWork"
) {
  /** The background work of a workspace with these jobs. */
  static readonly layerOf = <R>(
    handlers: Effect.Effect<ReadonlyArray<JobHandler>, never, R>
  ): Layer.Layer<BackgroundWork, never, Jobs | R> =>
    Layer.effect(BackgroundWork, Effect.flatMap(handlers, makeBackgroundWork))
}
