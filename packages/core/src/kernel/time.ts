/** The time, as records and resources carry it. */
import { Clock, Effect } from "effect"

/** Milliseconds as a timestamp: ISO 8601, UTC. */
export const toTimestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The present moment, by the clock of the program. */
export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, toTimestamp)
