/** Runs effects on a store concurrently, and separates the failures that a test injects from those of the store. */
import { Cause, Effect, Exit } from "effect"

/** The error or defect by which a case makes a transaction fail. */
export const onPurpose = "on purpose"

const isOnPurpose = (cause: Cause.Cause<unknown>) => Cause.squash(cause) === onPurpose

/** A store may give up on a transaction that keeps conflicting; it must then leave nothing of it. */
const gaveUp = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return typeof error === "object" && error !== null && "_tag" in error && error._tag === "StorageUnavailable"
}

/**
 * Runs all effects concurrently, and returns the values of those that succeed. Dies if one fails other than on
 * purpose, or if the store gives up on all of them: a store that does nothing would pass most tests.
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
      const unexpected = causes.find((cause) => !isOnPurpose(cause) && !gaveUp(cause))
      if (unexpected !== undefined) return Effect.die(Cause.squash(unexpected))
      if (exits.length > 0 && causes.filter(gaveUp).length === exits.length)
        return Effect.die(new Error("The store gave up on every one of the concurrent transactions."))
      return Effect.succeed(exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : [])))
    }
  )
