/** Timestamps, as rows and resources store them. */
import { Clock, Effect } from "effect"

/** Formats milliseconds since the epoch as a timestamp: ISO 8601, UTC. */
export const toTimestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The current time of the `Clock` as a timestamp. */
export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, toTimestamp)
