/** Days in UTC, by which events of sites are counted. */
import { toTimestamp } from "../../time.ts"

/** A day, in milliseconds. */
export const dayMs = 24 * 60 * 60 * 1_000

/** Returns the day of a time, in UTC. */
export const dayOf = (timeMs: number): string => toTimestamp(timeMs).slice(0, "2026-01-01".length)

/** Returns the last days up to a time, the first one first. */
export const lastDays = (timeMs: number, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => dayOf(timeMs - (count - 1 - index) * dayMs))
