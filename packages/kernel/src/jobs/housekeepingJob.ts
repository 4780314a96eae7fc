/** Recurring jobs that no caller waits for. */
import { Duration, Effect } from "effect"
import type { StorageUnavailable } from "../storage/index.ts"
import type { JobHandler } from "./Jobs.ts"

/** A job that runs repeatedly, with a pause of `every`. Runs may overlap; none stores anything with its end. */
export const housekeepingJob = (
  kind: string,
  every: Duration.Input,
  work: Effect.Effect<unknown, StorageUnavailable>
): JobHandler => ({
  kind,
  everyMillis: Duration.toMillis(every),
  run: () => Effect.as(work, Effect.void),
  locks: () => []
})
