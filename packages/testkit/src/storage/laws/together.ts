/** Runs effects on a store at once, and tells the failures that a law expects from those of the store. */
import { Cause, Effect, Exit } from "effect"

/** How a case lets a transaction fail. It fails or dies with it. */
export const onPurpose = "on purpose"

const isOnPurpose = (cause: Cause.Cause<unknown>) => Cause.squash(cause) === onPurpose

/** A store may give up on a transaction that kept meeting others: nothing of it is left then. */
const gaveUp = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return typeof error === "object" && error !== null && "_tag" in error && error._tag === "StorageUnavailable"
}

/**
 * Runs all of them at once, and gives the answers of those that succeeded. It dies where one failed otherwise than on
 * purpose, and where the store gave up on all: a store that does nothing would keep most laws.
 */
export const together = <A, E, R>(
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
        return Effect.die(new Error("The store gave up on every one of the transactions that met."))
      return Effect.succeed(exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : [])))
    }
  )
