/** Retries transactions that conflict with others. */
import { Duration, Effect, Metric, Schedule } from "effect"
import { transactionConflicts, transactionRetries } from "../observability/transactionMetrics.ts"
import { type StorageConflict, StorageUnavailable } from "./StorageError.ts"

const maximumDelay = Duration.millis(60)

/** The retries of a conflicting transaction: 30, with exponential backoff from 2 ms to 60 ms, and jitter. */
const conflictRetries = Schedule.exponential("2 millis").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, maximumDelay))),
  Schedule.jittered,
  Schedule.upTo({ times: 30 })
)

/** Whether an error is the conflict of a transaction, which is retried. */
export const isConflict = (error: unknown): error is StorageConflict =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "StorageConflict"

/** Counts an attempt after a conflict. */
const countedRetry = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.andThen(
    Metric.update(transactionRetries, 1),
    Effect.tapError(effect, (error) =>
      isConflict(error) ? Metric.update(transactionConflicts, 1) : Effect.void
    )
  )

/** Retries an effect while it conflicts. An effect that does not conflict has no overhead by the schedule. */
export const retryConflicts = <A, E, R>(
  effect: Effect.Effect<A, E | StorageConflict, R>
): Effect.Effect<A, E | StorageUnavailable, R> =>
  effect.pipe(
    Effect.catchIf(isConflict, () =>
      Effect.andThen(
        Metric.update(transactionConflicts, 1),
        Effect.retry(countedRetry(effect), { schedule: conflictRetries, while: isConflict })
      )
    ),
    Effect.catchIf(isConflict, () =>
      Effect.fail(
        new StorageUnavailable({
          reason: "Contention",
          detail: "The transaction conflicted with others at all of its attempts."
        })
      )
    )
  )
