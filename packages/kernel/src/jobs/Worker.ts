/** Workers of features with a queue of their own, which jobs are not suitable for. */
import type { Effect } from "effect"
import type { StorageUnavailable } from "../storage/index.ts"

/** Background work that runs next to the jobs. Any number of processes on one store can run it. */
export interface Worker {
  /** Works until it is interrupted. It tolerates that the store is unavailable. */
  readonly run: Effect.Effect<never>
  /** Does the work that is due, and returns how much it was. */
  readonly runDue: Effect.Effect<number, StorageUnavailable>
}
