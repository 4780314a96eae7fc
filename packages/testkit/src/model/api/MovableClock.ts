/** A clock whose time of day a test advances. Unlike with `TestClock`, `sleep` waits in real time. */
import { Clock, Effect } from "effect"

/** A clock and its control. */
export interface MovableClock {
  /** The clock, for the effects of a test. */
  readonly clock: Clock.Clock
  /** Advances the time of day, in milliseconds. */
  readonly advance: (milliseconds: number) => void
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number
}

/** Creates a clock that starts at `start`, in milliseconds since 1970, and moves only by `advance`. */
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
