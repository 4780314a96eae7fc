/** All that a workspace does in the background, and the worker that does it. */
import { Context, Effect, Layer, Schedule } from "effect"
import { Content } from "../features/content/Content.ts"
import { SpecProcessing } from "../features/openapi-specs/SpecProcessing.ts"
import { SearchIndex } from "../features/search/SearchIndex.ts"
import { Spaces } from "../features/spaces/Spaces.ts"
import { type JobHandler, Jobs } from "../kernel/jobs/Jobs.ts"
import type { StorageUnavailable } from "../kernel/storage/index.ts"

/** How long an idle worker waits until it looks again. */
const idle = "500 millis"

/** How long it waits where the store is away. */
const away = "5 seconds"

const minute = 60_000
const hour = 60 * minute

/** Housekeeping: it is done again and again, and nothing has to be stored with its end. */
const housekeeping = (
  kind: string,
  everyMillis: number,
  work: Effect.Effect<unknown, StorageUnavailable>
): JobHandler => ({ kind, everyMillis, run: () => Effect.as(work, Effect.void) })

const makeBackgroundWork = Effect.gen(function* () {
  const jobs = yield* Jobs
  const spaces = yield* Spaces
  const content = yield* Content
  const specs = yield* SpecProcessing
  const search = yield* SearchIndex

  const all: ReadonlyArray<JobHandler> = [
    specs.handler,
    search.handler,
    housekeeping("purge", hour, spaces.purge),
    housekeeping("sweep", 24 * hour, content.sweep)
  ]
  const handlers = new Map(all.map((handler) => [handler.kind, handler]))

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
export interface BackgroundWorkService extends Effect.Success<typeof makeBackgroundWork> {}

/** See the module's comment. */
export class BackgroundWork extends Context.Service<BackgroundWork, BackgroundWorkService>()(
  "@lectern/core/BackgroundWork"
) {
  static readonly layer: Layer.Layer<
    BackgroundWork,
    never,
    Jobs | Spaces | Content | SpecProcessing | SearchIndex
  > = Layer.effect(BackgroundWork, makeBackgroundWork)
}
