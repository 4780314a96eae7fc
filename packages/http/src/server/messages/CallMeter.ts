/** Counts the calls of requests that make several. */
import { Context, type Effect } from "effect"

/**
 * Consumes from the limits of the current request for all of its calls, before the first of them. A request that exceeds a limit is interrupted.
 * Undefined without limits of requests.
 */
export const CallMeter = Context.Reference<((calls: number) => Effect.Effect<void>) | undefined>(
  "@lectern/http/CallMeter",
  { defaultValue: () => undefined }
)
