/**
 * Counts requests in windows that are aligned to the clock: in memory, and shared with other processes through the database.
 * It implements the store of Effect's `RateLimiter`, whose own store in memory retains every key that it has counted.
 */
import type { RateLimitIncrement } from "@lectern/core"
import { Clock, Duration, Effect } from "effect"
import type { RateLimiter } from "effect/persistence"

/** Adds increments to the counts of all processes, and returns their totals in the same order. */
export type ShareCounts = (
  increments: ReadonlyArray<RateLimitIncrement>
) => Effect.Effect<ReadonlyArray<number>, unknown>

interface Counter {
  /** The end of the window, in milliseconds since the epoch. */
  expiresAt: number
  /** The requests of all processes when the counts were last shared. */
  shared: number
  /** The requests of this process since then. */
  own: number
}

/** The maximum number of keys that are counted. Beyond it, the oldest keys are removed. */
const maximumKeys = 50_000

/** The interval at which processes share their counts, in milliseconds. */
const shareIntervalMs = 1_000

/** The fraction of a limit from which on a count is shared: most clients never reach it. */
const sharedFraction = 0.1

/**
 * Creates the store. With `share`, processes exchange their counts every second, outside of requests, so that together they
 * exceed a limit by the requests of one second at most. If sharing fails, each process limits its own requests.
 */
export const makeCountingStore = (
  share: ShareCounts | undefined
): RateLimiter.RateLimiterStore["Service"] => {
  const counters = new Map<string, Counter>()
  const toShare = new Map<string, Counter>()
  let nextShareAt = 0
  let isSharing = false

  const counterOf = (key: string, windowMs: number, now: number): Counter => {
    const expiresAt = now - (now % windowMs) + windowMs
    let counter = counters.get(key)
    if (counter === undefined) {
      if (counters.size >= maximumKeys) {
        const [oldest] = counters.keys()
        counters.delete(oldest!)
      }
      counter = { expiresAt, shared: 0, own: 0 }
      counters.set(key, counter)
    } else if (counter.expiresAt <= now) {
      Object.assign(counter, { expiresAt, shared: 0, own: 0 })
    }
    return counter
  }

  const exchange = (shareCounts: ShareCounts) =>
    Effect.suspend(() => {
      const entries = [...toShare].map(([key, counter]) => ({
        counter,
        increment: { key, count: counter.own, expiresAt: counter.expiresAt }
      }))
      toShare.clear()
      return Effect.map(shareCounts(entries.map(({ increment }) => increment)), (totals) => {
        entries.forEach(({ counter, increment }, index) => {
          if (counter.expiresAt !== increment.expiresAt) return
          counter.own -= increment.count
          counter.shared = totals[index]!
        })
      })
    }).pipe(
      Effect.catchCause((cause) => Effect.logWarning("The counts of rate limits cannot be shared.", cause)),
      Effect.ensuring(
        Effect.sync(() => {
          isSharing = false
        })
      )
    )

  const shareLater = (key: string, counter: Counter, limit: number, now: number): Effect.Effect<void> => {
    if (share === undefined || counter.own + counter.shared < limit * sharedFraction) return Effect.void
    toShare.set(key, counter)
    if (isSharing || now < nextShareAt) return Effect.void
    isSharing = true
    nextShareAt = now + shareIntervalMs
    return Effect.asVoid(Effect.forkDetach(exchange(share)))
  }

  const unsupported = () => Effect.die(new Error("The store of rate limits counts requests in windows only."))

  return {
    fixedWindow: ({ key, tokens, refillRate, limit = Number.POSITIVE_INFINITY }) =>
      Clock.clockWith((clock) => {
        const now = clock.currentTimeMillisUnsafe()
        const windowMs = Math.max(1, Math.round(Duration.toMillis(refillRate) * limit))
        const counter = counterOf(key, windowMs, now)
        const count = counter.shared + counter.own + tokens
        const result = [count, counter.expiresAt - now] as const
        if (tokens === 0) return Effect.succeed(result)
        if (count <= limit) counter.own += tokens
        return share === undefined
          ? Effect.succeed(result)
          : Effect.as(shareLater(key, counter, limit, now), result)
      }),
    tokenBucket: unsupported,
    adaptiveConsume: unsupported,
    adaptiveFeedback: unsupported
  }
}
