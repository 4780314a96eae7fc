/** Limits the number of requests per minute: of a token, of an organization, and of an address without a valid token. */
import { hash } from "node:crypto"
import { OrganizationMeter, ssoPath } from "@lectern/core"
import { Clock, Effect, type Fiber } from "effect"
import type { Dispatcher } from "../Dispatcher.ts"
import { rateLimited } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import type { ConsumeQuota, Quota } from "./quotas.ts"
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

/** The maximum number of tokens that are remembered as accepted. */
const maximumAccepted = 20_000

const bearer = /^bearer +(\S+)$/i

const withHeaders = (response: ApiResponse, quota: Quota, now: number): ApiResponse => {
  response.headers["x-ratelimit-limit"] = String(quota.limit)
  response.headers["x-ratelimit-remaining"] = String(quota.remaining)
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

/** How many pages and files an address may load, relative to its other requests: a page loads files and assets. */
const pagesPerRequest = 10

/** The paths of the API, its documentation and single sign-on, which are not pages. */
const apiPaths = ["/v1/", "/openapi.json", "/docs", ssoPath]

/** Whether a request loads a page or a file, as browsers do without a token. */
const loadsPage = ({ method, url }: ApiRequest): boolean =>
  (method === "GET" || method === "HEAD") && !apiPaths.some((path) => url.startsWith(path))

/** Continues with a quota, without an effect if it is known. */
const withQuota = <A>(
  quota: Quota | Effect.Effect<Quota>,
  next: (quota: Quota) => Effect.Effect<A>
): Effect.Effect<A> => (Effect.isEffect(quota) ? Effect.flatMap(quota, next) : next(quota))

/**
 * Limits the requests of a dispatcher. A request with an accepted token consumes from the limit of its token only, and, when
 * it is authorized, from that of the organization. Any other request consumes from the limit of its address, or from one that is ten times as
 * high if it loads a page or a file; one that fails to authenticate also from the limit of failures, which rejects requests before authentication.
 */
export const withRateLimits = (
  dispatch: Dispatcher,
  rateLimits: RateLimits,
  consume: ConsumeQuota
): Dispatcher => {
  const limits = { ...defaultRateLimits, ...rateLimits }
  const accepted = makeAcceptedTokens()

  /** Handles an admitted request, and limits the organization on whose resources it acts. */
  const handle = (
    fiber: Fiber.Fiber<unknown, unknown>,
    request: ApiRequest,
    onResponse: (response: ApiResponse) => Effect.Effect<ApiResponse>
  ): Effect.Effect<ApiResponse> => {
    let organization: Quota | undefined
    let charged: string | undefined
    const meter = (id: string): Effect.Effect<void> => {
      // An operation authorizes several times, also when its transaction is retried.
      if (charged === id) return Effect.void
      charged = id
      return withQuota(consume(fiber, `organization:${id}`, limits.perOrganization), (quota) => {
        organization = quota
        return quota.isExceeded ? Effect.interrupt : Effect.void
      })
    }
    return Effect.matchCauseEffect(Effect.provideService(dispatch(request), OrganizationMeter, meter), {
      onSuccess: onResponse,
      onFailure: (cause) =>
        organization?.isExceeded === true
          ? onResponse(rejection(organization, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()))
          : Effect.failCause(cause)
    })
  }

  const handleAccepted = (request: ApiRequest, digest: string): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      return withQuota(consume(fiber, `token:${digest}`, limits.perToken), (quota) => {
        if (quota.isExceeded) return Effect.succeed(rejection(quota, now))
        return handle(fiber, request, (response) => {
          if (response.status === 401) accepted.remove(digest)
          return Effect.succeed(response.status === 429 ? response : withHeaders(response, quota, now))
        })
      })
    })

  const handleOther = (request: ApiRequest, digest: string | undefined): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const address = request.remoteAddress ?? "unknown"
      const consumeFailures = (requests: number) =>
        consume(fiber, `failures:${address}`, limits.failuresPerAddress, requests)
      return withQuota(consumeFailures(0), (failures) => {
        if (failures.remaining <= 0) return Effect.succeed(rejection({ ...failures, isExceeded: true }, now))
        const perAddress = loadsPage(request)
          ? consume(fiber, `pages:${address}`, limits.perAddress * pagesPerRequest)
          : consume(fiber, `address:${address}`, limits.perAddress)
        return withQuota(perAddress, (quota) => {
          if (quota.isExceeded) return Effect.succeed(rejection(quota, now))
          return handle(fiber, request, (response) => {
            const limited = response.status === 429 ? response : withHeaders(response, quota, now)
            if (response.status === 401) return withQuota(consumeFailures(1), () => Effect.succeed(limited))
            if (digest !== undefined && request.url.startsWith("/v1/")) accepted.add(digest)
            return Effect.succeed(limited)
          })
        })
      })
    })

  return (request) => {
    if (requestKindOf(request) === "health") return dispatch(request)
    const token = bearer.exec(request.header("authorization") ?? "")?.[1]
    const digest = token === undefined ? undefined : hash("sha256", token, "base64url")
    return digest !== undefined && accepted.has(digest)
      ? handleAccepted(request, digest)
      : handleOther(request, digest)
  }
}
