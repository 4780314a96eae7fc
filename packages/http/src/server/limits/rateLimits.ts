/** Limits the number of requests per minute: of a token, of an organization, and of an address without a valid token. */
import { createHash } from "node:crypto"
import { OrganizationMeter } from "@lectern/core"
import { Clock, Duration, Effect } from "effect"
import type { RateLimiter } from "effect/persistence"
import type { Dispatcher } from "../Dispatcher.ts"
import { rateLimited } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { requestKindOf } from "./requestKind.ts"

/** The maximum numbers of requests per minute. */
export interface RateLimits {
  /** Requests with one API token; 1,200 by default. */
  readonly perToken?: number
  /** Requests of one address that have no token, or one that was not accepted before; 300 by default. */
  readonly perAddress?: number
  /** Requests on the resources of one organization, by all of its users; 12,000 by default. */
  readonly perOrganization?: number
  /** Requests of one address that fail to authenticate; 30 by default. Requests with accepted tokens are not affected. */
  readonly failuresPerAddress?: number
}

/** The limits that apply unless others are set. */
export const defaultRateLimits: Required<RateLimits> = {
  perToken: 1_200,
  perAddress: 300,
  perOrganization: 12_000,
  failuresPerAddress: 30
}

const window = Duration.minutes(1)

/** The maximum number of tokens that are remembered as accepted. */
const maximumAccepted = 20_000

const bearer = /^bearer +(\S+)$/i

/** The state of a limit after a request: the values of the response headers. */
interface Quota {
  readonly limit: number
  readonly remaining: number
  readonly resetAfterMs: number
  readonly isExceeded: boolean
}

const withHeaders = (response: ApiResponse, quota: Quota, now: number): ApiResponse => {
  response.headers["x-ratelimit-limit"] = String(quota.limit)
  response.headers["x-ratelimit-remaining"] = String(Math.max(0, quota.remaining))
  response.headers["x-ratelimit-reset"] = String(Math.ceil((now + quota.resetAfterMs) / 1000))
  return response
}

const rejection = (quota: Quota, now: number): ApiResponse =>
  withHeaders(rateLimited(Math.max(1, Math.ceil(quota.resetAfterMs / 1000))), quota, now)

/** Remembers the tokens that were accepted lately, by their digests. The oldest are forgotten. */
const makeAcceptedTokens = () => {
  const accepted = new Set<string>()
  return {
    has: (digest: string): boolean => accepted.has(digest),
    add: (digest: string): void => {
      if (accepted.has(digest)) return
      if (accepted.size >= maximumAccepted) {
        const [oldest] = accepted
        accepted.delete(oldest!)
      }
      accepted.add(digest)
    },
    remove: (digest: string): boolean => accepted.delete(digest)
  }
}

/**
 * Limits the requests of a dispatcher. A request with an accepted token consumes from the limit of its token only, and, when
 * it is authorized, from that of the organization. Any other request consumes from the limit of its address; one that fails
 * to authenticate also from the limit of failures, which rejects requests before authentication.
 */
export const withRateLimits = (
  dispatch: Dispatcher,
  rateLimits: RateLimits,
  limiter: RateLimiter.RateLimiter
): Dispatcher => {
  const limits = { ...defaultRateLimits, ...rateLimits }
  const accepted = makeAcceptedTokens()

  const consume = (key: string, limit: number, tokens = 1): Effect.Effect<Quota> =>
    limiter.consume({ key, limit, window, tokens }).pipe(
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
            : // A store of the host that fails must not make the API fail.
              Effect.as(Effect.logWarning("A rate limit cannot be checked.", reason), {
                limit,
                remaining: limit,
                resetAfterMs: 0,
                isExceeded: false
              })
      )
    )

  /** Handles an admitted request, and limits the organization on whose resources it acts. */
  const handle = (request: ApiRequest): Effect.Effect<{ response: ApiResponse; organization?: Quota }> =>
    Effect.suspend(() => {
      let organization: Quota | undefined
      let charged: string | undefined
      const meter = (id: string) =>
        Effect.suspend(() => {
          // An operation authorizes several times, also when its transaction is retried.
          if (charged === id) return Effect.void
          charged = id
          return Effect.flatMap(consume(`organization:${id}`, limits.perOrganization), (quota) => {
            organization = quota
            return quota.isExceeded ? Effect.interrupt : Effect.void
          })
        })
      return dispatch(request).pipe(
        Effect.provideService(OrganizationMeter, meter),
        Effect.map((response) => (organization === undefined ? { response } : { response, organization })),
        Effect.catchCause((cause) =>
          organization?.isExceeded === true
            ? Clock.clockWith((clock) =>
                Effect.succeed({ response: rejection(organization!, clock.currentTimeMillisUnsafe()) })
              )
            : Effect.failCause(cause)
        )
      )
    })

  const handleAccepted = Effect.fnUntraced(function* (request: ApiRequest, digest: string) {
    const quota = yield* consume(`token:${digest}`, limits.perToken)
    const now = yield* Clock.currentTimeMillis
    if (quota.isExceeded) return rejection(quota, now)
    const { response } = yield* handle(request)
    if (response.status === 401) accepted.remove(digest)
    return response.status === 429 ? response : withHeaders(response, quota, now)
  })

  const handleOther = Effect.fnUntraced(function* (request: ApiRequest, digest: string | undefined) {
    const address = request.remoteAddress ?? "unknown"
    const now = yield* Clock.currentTimeMillis
    const failures = yield* consume(`failures:${address}`, limits.failuresPerAddress, 0)
    if (failures.remaining <= 0) return rejection({ ...failures, isExceeded: true }, now)
    const quota = yield* consume(`address:${address}`, limits.perAddress)
    if (quota.isExceeded) return rejection(quota, now)
    const { response } = yield* handle(request)
    if (response.status === 401) yield* consume(`failures:${address}`, limits.failuresPerAddress)
    else if (digest !== undefined && request.url.startsWith("/v1/")) accepted.add(digest)
    return response.status === 429 ? response : withHeaders(response, quota, now)
  })

  return (request) => {
    if (requestKindOf(request) === "health") return dispatch(request)
    const token = bearer.exec(request.header("authorization") ?? "")?.[1]
    const digest = token === undefined ? undefined : createHash("sha256").update(token).digest("base64url")
    return digest !== undefined && accepted.has(digest)
      ? handleAccepted(request, digest)
      : handleOther(request, digest)
  }
}
