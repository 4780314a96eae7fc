/** Runs effects on a store concurrently, and separates injected failures from failures of the store. */
import { Cause, Effect, Exit } from "effect"

/** The error or defect that a test case injects into a transaction. */
export const injectedFailure = "injected failure"

const isInjectedFailure = (cause: Cause.Cause<unknown>) => Cause.squash(cause) === injectedFailure

/** `Records` may give up on a transaction that conflicts repeatedly, which must then have no effect. */
const isStorageUnavailable = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return typeof error === "object" && error !== null && "_tag" in error && error._tag === "StorageUnavailable"
}

/**
 * Runs all effects concurrently, and returns the values of the successful ones. Dies if one fails with an unexpected
 * error, or if all of them fail with `StorageUnavailable`: a store that does nothing would pass most tests.
 */
export const runConcurrently = <A, E, R>(
  effects: ReadonlyArray<Effect.Effect<A, E, R>>
): Effect.Effect<ReadonlyArray<A>, never, R> =>
  Effect.flatMap(
    Effect.all(
      effects.map((effect) => Effect.exit(effect)),
      { concurrency: "unbounded" }
    ),
    (exits) => {
      const causes = exits.flatMap((exit) => (Exit.isFailure(exit) ? [exit.cause] : []))
      const unexpected = causes.find((cause) => !isInjectedFailure(cause) && !isStorageUnavailable(cause))
      if (unexpected !== undefined) return Effect.die(Cause.squash(unexpected))
      if (exits.length > 0 && causes.filter(isStorageUnavailable).length === exits.length)
        return Effect.die(
          new Error("All concurrent transactions failed with StorageUnavailable. At least one must commit.")
        )
      return Effect.succeed(exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : [])))
    }
  )

/** Returns every order of the elements. */
export const permutationsOf = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  all.length === 0
    ? [[]]
    : all.flatMap((first, index) =>
        permutationsOf([...all.slice(0, index), ...all.slice(index + 1)]).map((rest) => [first, ...rest])
      )
