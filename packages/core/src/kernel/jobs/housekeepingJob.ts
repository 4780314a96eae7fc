/** Recurring jobs that no caller waits for. */
import { Duration, Effect } from "effect"
import type { StorageUnavailable } from "../storage/index.ts"
import type { JobHandler } from "./Jobs.ts"

/** Runs work again and again, `every` so often. It may run twice at once, and nothing is stored with its end. */
export const housekeepingJob = (
  kind: string,
  every: Duration.Input,
  work: Effect.Effect<unknown, StorageUnavailable>
): JobHandler => ({ kind, everyMillis: Duration.toMillis(every), run: () => Effect.as(work, Effect.void) })
