/** A clock that a test moves: the time of day jumps when it is told to, while sleeping takes as long as ever. */
import { Clock, Effect } from "effect"

/** The clock, and the way to move it. */
export interface MovableClock {
  readonly clock: Clock.Clock
  /** Moves the time of day on, in milliseconds. */
  readonly advance: (milliseconds: number) => void
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number
}

/** A clock that starts at a time of day and then moves only when it is told to. */
export const makeMovableClock = (start = Date.parse("2026-01-01T00:00:00.000Z")): MovableClock => {
  let now = start
  const live = Clock.Clock.defaultValue()
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => BigInt(now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: live.monotonicTimeNanos,
    sleep: (duration) => live.sleep(duration)
  }
  return {
    clock,
    advance: (milliseconds) => {
      now += milliseconds
    },
    now: () => now
  }
}
