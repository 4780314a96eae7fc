/** Applies the limits of requests to a dispatcher. */
import { addRateLimitCounts, PublicUrl, Records } from "@lectern/core"
import { Context, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import type { Dispatcher } from "../Dispatcher.ts"
import { makeQuotas, quotasOf } from "./quotas.ts"
import { type RateLimits, withRateLimits } from "./rateLimits.ts"
import { type RequestLimits, supervise } from "./supervise.ts"

/** The limits of requests. */
export interface Limits extends RequestLimits {
  /** The maximum numbers of requests per minute. None by default. */
  readonly rateLimits?: RateLimits
  /**
   * Whether processes share the counts of rate limits through the database, about once per second; `false` by default. To
   * share them elsewhere, provide the `RateLimiterStore` of `effect/persistence`, such as its store in Redis.
   */
  readonly sharesRateLimits?: boolean
}

/** Limits the requests of a dispatcher. Requests over a rate limit do not count as requests in progress. */
export const withLimits = Effect.fnUntraced(function* (dispatch: Dispatcher, limits: Limits) {
  const supervised = supervise(dispatch, limits)
  if (limits.rateLimits === undefined) return supervised
  const records = yield* Records
  const store = Context.getOrUndefined(yield* Effect.context<never>(), RateLimiter.RateLimiterStore)
  const consume =
    store === undefined
      ? makeQuotas(
          limits.sharesRateLimits === true
            ? (increments) => addRateLimitCounts(records, increments)
            : undefined
        )
      : quotasOf(yield* Effect.provideService(RateLimiter.make, RateLimiter.RateLimiterStore, store))
  return withRateLimits(supervised, limits.rateLimits, consume, yield* PublicUrl)
})
