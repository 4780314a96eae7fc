/** All that a workspace does in the background, and the worker that does it. */
import { Context, Effect, Layer, Schedule } from "effect"
import { Content } from "../content/Content.ts"
import { SpecProcessing } from "../openapi/SpecProcessing.ts"
import { SearchIndex } from "../search/SearchIndex.ts"
import { Spaces } from "../spaces/Spaces.ts"
import type { StorageUnavailable } from "../storage/index.ts"
import { type JobHandler, Jobs } from "./Jobs.ts"

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

const make = Effect.gen(function* () {
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

/** See the module's comment. */
export class BackgroundWork extends Context.Service<BackgroundWork, Effect.Success<typeof make>>()(
  "@lectern/core/jobs/BackgroundWork"
) {
  static readonly layer: Layer.Layer<
    BackgroundWork,
    never,
    Jobs | Spaces | Content | SpecProcessing | SearchIndex
  > = Layer.effect(BackgroundWork, make)
}
