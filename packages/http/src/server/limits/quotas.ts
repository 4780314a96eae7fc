/**
 * Counts requests in windows that are aligned to the clock: in memory, and shared with other processes through the database.
 * Counting is synchronous, because every request is counted twice. A store of the host counts with Effect's `RateLimiter`.
 */
import type { RateLimitIncrement } from "@lectern/core"
import { Clock, Duration, Effect, type Fiber } from "effect"
import type { RateLimiter } from "effect/persistence"

/** The state of a limit after a request: the values of the response headers. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
  readonly resetAfterMs: number
  readonly isExceeded: boolean
}

/** Counts the requests of a key, unless they exceed its limit per minute. The fiber is that of the request. */
export type ConsumeQuota = (
  fiber: Fiber.Fiber<unknown, unknown>,
  key: string,
  limit: number,
  requests?: number
) => Quota | Effect.Effect<Quota>

/** The window of all limits, in milliseconds. */
const windowMs = 60_000

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
 * Counts in memory. With `share`, processes exchange their counts every second, outside of requests, so that together they
 * exceed a limit by the requests of one second at most. If sharing fails, each process limits its own requests.
 */
export const makeQuotas = (share: ShareCounts | undefined): ConsumeQuota => {
  const counters = new Map<string, Counter>()
  const toShare = new Map<string, Counter>()
  let nextShareAt = 0
  let isSharing = false

  const counterOf = (key: string, now: number): Counter => {
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

  const shareLater = (
    fiber: Fiber.Fiber<unknown, unknown>,
    key: string,
    counter: Counter,
    now: number
  ): void => {
    if (share === undefined) return
    toShare.set(key, counter)
    if (isSharing || now < nextShareAt) return
    isSharing = true
    nextShareAt = now + shareIntervalMs
    Effect.runForkWith(fiber.context)(exchange(share))
  }

  return (fiber, key, limit, requests = 1) => {
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const counter = counterOf(key, now)
    const count = counter.shared + counter.own + requests
    const isExceeded = count > limit
    if (!isExceeded) counter.own += requests
    if (requests > 0 && counter.own + counter.shared >= limit * sharedFraction) {
      shareLater(fiber, key, counter, now)
    }
    return {
      limit,
      remaining: Math.max(0, limit - count),
      resetAfterMs: counter.expiresAt - now,
      isExceeded
    }
  }
}

const window = Duration.millis(windowMs)

/** Counts with a limiter on a store of the host. */
export const quotasOf =
  (limiter: RateLimiter.RateLimiter): ConsumeQuota =>
  (_, key, limit, requests = 1) =>
    limiter.consume({ key, limit, window, tokens: requests }).pipe(
      Effect.map(
        ({ remaining, resetAfter }): Quota => ({
          limit,
          remaining,
          resetAfterMs: Duration.toMillis(resetAfter),
          isExceeded: false
        })
      ),
      Effect.catch(
        ({ reason }): Effect.Effect<Quota> =>
          reason._tag === "RateLimitExceeded"
            ? Effect.succeed({
                limit,
                remaining: 0,
                resetAfterMs: Duration.toMillis(reason.retryAfter),
                isExceeded: true
              })
            : // A store that fails must not make the API fail.
              Effect.as(Effect.logWarning("A rate limit cannot be checked.", reason), {
                limit,
                remaining: limit,
                resetAfterMs: 0,
                isExceeded: false
              })
      )
    )
