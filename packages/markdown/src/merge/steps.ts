/** Long computations that let others run: generators that yield after every few milliseconds of work. */
import { Effect } from "effect"

/** A computation in steps. */
export type Steps<A> = Generator<void, A>

/** Runs a computation without pauses. */
export const runAtOnce = <A>(steps: Steps<A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** How long a computation runs before others do, in nanoseconds: 10 milliseconds. */
const turn = 10_000_000n

/** Runs a computation, and lets the event loop continue between its steps. */
export const runInSteps = <A>(steps: Steps<A>): Effect.Effect<A> =>
  Effect.clockWith((clock) => {
    const resume = (): Effect.Effect<A> => {
      const started = clock.monotonicTimeNanosUnsafe()
      for (;;) {
        const step = steps.next()
        if (step.done === true) return Effect.succeed(step.value)
        if (clock.monotonicTimeNanosUnsafe() - started > turn) return Effect.flatMap(Effect.yieldNow, resume)
      }
    }
    return Effect.suspend(resume)
  })
