/** Limits the number of requests per minute: of a token or a user, of an organization, and of an address without valid credentials. */
import { isVisitorToken, OrganizationMeter, scimPath, ssoPath } from "@lectern/core"
import { Clock, Effect, type Fiber } from "effect"
import type { Dispatcher } from "../Dispatcher.ts"
import { CallMeter } from "../messages/CallMeter.ts"
import { rateLimited } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, addressOf } from "../messages/Message.ts"
import {
  credentialOf,
  hasCredentials,
  limitKeyOf,
  makeAcceptedCredentials,
  tokenOf
} from "./acceptedCredentials.ts"
import { OnAuthenticated } from "./observeAuthenticator.ts"
import type { ConsumeQuota, Quota } from "./quotas.ts"
import { requestKindOf } from "./requestKind.ts"

/** The maximum numbers of requests per minute. */
export interface RateLimits {
  /** Requests with one API token, or with all sessions of one user; 1,200 by default. */
  readonly perToken?: number
  /**
   * Requests of one address without credentials; 300 by default. As many with credentials that the authenticator does not accept: beyond
   * them, it examines only credentials of this address that it has accepted before.
   */
  readonly perAddress?: number
  /** Requests on the resources of one organization, by all of its users; 12,000 by default. */
  readonly perOrganization?: number
  /**
   * Responses with 401 to requests of one address with credentials; 30 by default. Beyond them, requests without accepted credentials are
   * rejected.
   */
  readonly failuresPerAddress?: number
}

/** The limits that apply unless others are set. */
export const defaultRateLimits: Required<RateLimits> = {
  perToken: 1_200,
  perAddress: 300,
  perOrganization: 12_000,
  failuresPerAddress: 30
}

const withHeaders = (response: ApiResponse, quota: Quota, now: number): ApiResponse => {
  response.headers["x-ratelimit-limit"] = String(quota.limit)
  response.headers["x-ratelimit-remaining"] = String(quota.remaining)
  response.headers["x-ratelimit-reset"] = String(Math.ceil((now + quota.resetAfterMs) / 1000))
  return response
}

const rejection = (quota: Quota, now: number): ApiResponse =>
  withHeaders(rateLimited(Math.max(1, Math.ceil(quota.resetAfterMs / 1000))), quota, now)

/** How many pages and files an address may load, relative to its other requests: a page loads files and assets. */
const pagesPerRequest = 10

/** The paths of the API, its documentation and single sign-on, which are not pages. */
const apiPaths = ["/v1/", "/openapi.json", "/docs", ssoPath, scimPath]

/** Whether a request loads a page or a file, as browsers do without a token, and renderers with the token of a visitor. */
const loadsPage = ({ header, method, url }: ApiRequest): boolean =>
  (method === "GET" || method === "HEAD") &&
  (!apiPaths.some((path) => url.startsWith(path)) || isVisitorToken(tokenOf({ header }) ?? ""))

/** Continues with a quota, without an effect if it is known. */
const withQuota = <A>(
  quota: Quota | Effect.Effect<Quota>,
  next: (quota: Quota) => Effect.Effect<A>
): Effect.Effect<A> => (Effect.isEffect(quota) ? Effect.flatMap(quota, next) : next(quota))

/** The state of a request whose credentials are examined. */
interface Examined {
  /** The key of the limit of the user or the token, once the authenticator has accepted the credentials. */
  key: string | undefined
  /** The quota of the user or the token, once the authenticator has accepted the credentials. */
  quota: Quota | undefined
}

/**
 * Limits the requests of a dispatcher. A request of the API with accepted credentials consumes from the limit of its token or its user
 * only, and, when it is authorized, from that of the organization. Others consume from the limit of their address:
 *
 * - Without credentials, from `perAddress`, or from a limit that is ten times as high if it loads a page or a file.
 * - With credentials that are not accepted, from another limit of `perAddress`. Credentials that were not accepted before are examined
 *   until it is used up, so that requests of others at the address do not prevent a user from signing in there.
 *
 * Every response with 401 to a request with credentials consumes from the limit of failures of its address. Once it is used up, requests
 * without credentials are rejected, and the response to others that fail is 429.
 */
export const withRateLimits = (
  dispatch: Dispatcher,
  rateLimits: RateLimits,
  consume: ConsumeQuota,
  publicUrl: string
): Dispatcher => {
  const limits = { ...defaultRateLimits, ...rateLimits }
  const accepted = makeAcceptedCredentials()

  /**
   * Handles an admitted request, and limits the organization on whose resources it acts. `consumeCalls` consumes from the limit of the
   * request for its further calls, unless the authenticator accepts its credentials first.
   */
  const handle = (
    fiber: Fiber.Fiber<unknown, unknown>,
    request: ApiRequest,
    consumeCalls: (calls: number) => Quota | Effect.Effect<Quota>,
    onResponse: (response: ApiResponse, ofCalls: Quota | undefined) => Effect.Effect<ApiResponse>,
    credential?: string,
    examined: Examined = { quota: undefined, key: undefined }
  ): Effect.Effect<ApiResponse> => {
    let exceeded: Quota | undefined
    let charged: string | undefined
    let calls = 1
    let ofCalls: Quota | undefined
    const stopIfExceeded = (quota: Quota): Effect.Effect<void> => {
      if (quota.isExceeded) exceeded = quota
      return quota.isExceeded ? Effect.interrupt : Effect.void
    }
    const meter = (id: string): Effect.Effect<void> => {
      // An operation authorizes several times, also when its transaction is retried.
      if (charged === id) return Effect.void
      charged = id
      return withQuota(consume(fiber, `organization:${id}`, limits.perOrganization, calls), stopIfExceeded)
    }
    const meterCalls = (count: number): Effect.Effect<void> => {
      const further = count - calls
      if (further <= 0) return Effect.void
      calls = count
      const own =
        examined.key === undefined
          ? consumeCalls(further)
          : consume(fiber, examined.key, limits.perToken, further)
      const consumed = withQuota(own, (quota) => {
        ofCalls = quota
        return stopIfExceeded(quota)
      })
      if (charged === undefined) return consumed
      const key = `organization:${charged}`
      return Effect.andThen(
        consumed,
        Effect.suspend(() => withQuota(consume(fiber, key, limits.perOrganization, further), stopIfExceeded))
      )
    }
    const observed = Effect.provideService(dispatch(request), OrganizationMeter, meter).pipe(
      Effect.provideService(CallMeter, meterCalls),
      Effect.provideService(OnAuthenticated, (identity) => {
        if (credential === undefined || examined.quota !== undefined) return Effect.void
        const key = limitKeyOf(credential, identity)
        accepted.add(credential, key)
        examined.key = key
        return withQuota(consume(fiber, key, limits.perToken), (quota) => {
          examined.quota = quota
          return stopIfExceeded(quota)
        })
      })
    )
    return Effect.matchCauseEffect(observed, {
      // The calls of a batch are interrupted one by one, and the request has a response.
      onSuccess: (response) =>
        onResponse(
          exceeded === undefined
            ? response
            : rejection(exceeded, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()),
          ofCalls
        ),
      onFailure: (cause) =>
        exceeded === undefined
          ? Effect.failCause(cause)
          : onResponse(rejection(exceeded, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()), undefined)
    })
  }

  /** Counts requests with credentials that fail to authenticate, by the address of their client. */
  const consumeFailures = (fiber: Fiber.Fiber<unknown, unknown>, request: ApiRequest, requests: number) =>
    consume(fiber, `failures:${addressOf(request)}`, limits.failuresPerAddress, requests)

  /** Completes a response. Every failure to authenticate counts, and is rejected once there are too many. */
  const complete = (
    fiber: Fiber.Fiber<unknown, unknown>,
    request: ApiRequest,
    quota: Quota,
    response: ApiResponse
  ): Effect.Effect<ApiResponse> => {
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    if (response.status === 429) return Effect.succeed(response)
    if (response.status !== 401 || !hasCredentials(request, publicUrl))
      return Effect.succeed(withHeaders(response, quota, now))
    return withQuota(consumeFailures(fiber, request, 1), (failures) =>
      Effect.succeed(failures.isExceeded ? rejection(failures, now) : withHeaders(response, quota, now))
    )
  }

  const handleAccepted = (request: ApiRequest, credential: string, key: string): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      return withQuota(consume(fiber, key, limits.perToken), (quota) => {
        if (quota.isExceeded) return Effect.succeed(rejection(quota, now))
        const consumeCalls = (calls: number) => consume(fiber, key, limits.perToken, calls)
        return handle(fiber, request, consumeCalls, (response, ofCalls) => {
          if (response.status === 401) accepted.remove(credential)
          return complete(fiber, request, ofCalls ?? quota, response)
        })
      })
    })

  /** Handles a request with credentials that were not accepted before: only the authenticator distinguishes guesses. */
  const handleUnknown = (request: ApiRequest, credential: string): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const consumeUnaccepted = (requests: number) =>
        consume(fiber, `unaccepted:${addressOf(request)}`, limits.perAddress, requests)
      return withQuota(consumeUnaccepted(0), (unaccepted) => {
        if (unaccepted.remaining <= 0)
          return Effect.succeed(rejection({ ...unaccepted, isExceeded: true }, now))
        const examined: Examined = { quota: undefined, key: undefined }
        const onResponse = (response: ApiResponse, ofCalls: Quota | undefined): Effect.Effect<ApiResponse> =>
          examined.quota === undefined
            ? withQuota(consumeUnaccepted(1), (quota) => complete(fiber, request, quota, response))
            : complete(fiber, request, ofCalls ?? examined.quota, response)
        return handle(fiber, request, consumeUnaccepted, onResponse, credential, examined)
      })
    })

  const handleOther = (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const address = addressOf(request)
      return withQuota(consumeFailures(fiber, request, 0), (failures) => {
        if (failures.remaining <= 0) return Effect.succeed(rejection({ ...failures, isExceeded: true }, now))
        const consumeCalls = loadsPage(request)
          ? (calls: number) => consume(fiber, `pages:${address}`, limits.perAddress * pagesPerRequest, calls)
          : (calls: number) => consume(fiber, `address:${address}`, limits.perAddress, calls)
        return withQuota(consumeCalls(1), (quota) => {
          if (quota.isExceeded) return Effect.succeed(rejection(quota, now))
          return handle(fiber, request, consumeCalls, (response, ofCalls) =>
            complete(fiber, request, ofCalls ?? quota, response)
          )
        })
      })
    })

  return (request) => {
    if (requestKindOf(request) === "health") return dispatch(request)
    const credential = credentialOf(request, publicUrl)
    if (credential === undefined) return handleOther(request)
    const key = accepted.keyOf(credential)
    return key === undefined ? handleUnknown(request, credential) : handleAccepted(request, credential, key)
  }
}
