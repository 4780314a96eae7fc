/** Limits the number of requests per minute: of a token, of an organization, and of an address without a valid token. */
import { hash } from "node:crypto"
import { type Identity, isVisitorToken, OrganizationMeter, scimPath, ssoPath } from "@lectern/core"
import { Clock, Effect, type Fiber } from "effect"
import type { Dispatcher } from "../Dispatcher.ts"
import { rateLimited } from "../messages/failures.ts"
import { type ApiRequest, type ApiResponse, addressOf } from "../messages/Message.ts"
import { OnAuthenticated } from "./observeAuthenticator.ts"
import type { ConsumeQuota, Quota } from "./quotas.ts"
import { requestKindOf } from "./requestKind.ts"

/** The maximum numbers of requests per minute. */
export interface RateLimits {
  /** Requests with one API token; 1,200 by default. */
  readonly perToken?: number
  /** Requests of one address without a token that the authenticator has accepted before; 300 by default. */
  readonly perAddress?: number
  /** Requests on the resources of one organization, by all of its users; 12,000 by default. */
  readonly perOrganization?: number
  /** Responses with 401 to one address; 30 by default. Further requests with accepted tokens are not rejected. */
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

const digestOf = (token: string): string => hash("sha256", token, "base64url")

/** Remembers the tokens that were accepted lately, by their digests, with the keys of their limits. The oldest are forgotten. */
const makeAcceptedTokens = () => {
  const accepted = new Map<string, string>()
  return {
    keyOf: (digest: string): string | undefined => accepted.get(digest),
    add: (digest: string, key: string): void => {
      if (!accepted.has(digest) && accepted.size >= maximumAccepted) {
        const [oldest] = accepted.keys()
        accepted.delete(oldest!)
      }
      accepted.set(digest, key)
    },
    remove: (digest: string): boolean => accepted.delete(digest)
  }
}

/** How many pages and files an address may load, relative to its other requests: a page loads files and assets. */
const pagesPerRequest = 10

/** The paths of the API, its documentation and single sign-on, which are not pages. */
const apiPaths = ["/v1/", "/openapi.json", "/docs", ssoPath, scimPath]

/** Whether a request loads a page or a file, as browsers do without a token, and renderers with the token of a visitor. */
const loadsPage = ({ header, method, url }: ApiRequest): boolean =>
  (method === "GET" || method === "HEAD") &&
  (!apiPaths.some((path) => url.startsWith(path)) ||
    isVisitorToken(bearer.exec(header("authorization") ?? "")?.[1] ?? ""))

/**
 * Whether the authenticator reads the header `Authorization` of a request. Other requests, such as a login with a form, must
 * not escape the limits of their address by a header that nothing examines.
 */
const authenticatesByToken = ({ url }: ApiRequest): boolean =>
  url.startsWith("/v1/") || url.startsWith(`${scimPath}/`)

/** Continues with a quota, without an effect if it is known. */
const withQuota = <A>(
  quota: Quota | Effect.Effect<Quota>,
  next: (quota: Quota) => Effect.Effect<A>
): Effect.Effect<A> => (Effect.isEffect(quota) ? Effect.flatMap(quota, next) : next(quota))

/**
 * Limits the requests of a dispatcher. A request of the API with a token that the authenticator has accepted consumes from the limit of
 * its token only, and, when it is authorized, from that of the organization. Any other request consumes from the limit of its address, or
 * from one that is ten times as high if it loads a page or a file. Every response with 401 consumes from the limit of failures of its
 * address, which rejects requests before authentication, unless their token was accepted.
 */
export const withRateLimits = (
  dispatch: Dispatcher,
  rateLimits: RateLimits,
  consume: ConsumeQuota
): Dispatcher => {
  const limits = { ...defaultRateLimits, ...rateLimits }
  const accepted = makeAcceptedTokens()

  const onAuthenticated = (token: string, identity: Identity): void => {
    const digest = digestOf(token)
    // A host can accept a user by other means, such as a cookie, with any token in the request.
    accepted.add(digest, identity.token === undefined ? `user:${identity.id}` : `token:${digest}`)
  }

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
    const observed = dispatch(request).pipe(
      Effect.provideService(OrganizationMeter, meter),
      Effect.provideService(OnAuthenticated, onAuthenticated)
    )
    return Effect.matchCauseEffect(observed, {
      onSuccess: onResponse,
      onFailure: (cause) =>
        organization?.isExceeded === true
          ? onResponse(rejection(organization, fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()))
          : Effect.failCause(cause)
    })
  }

  /** Counts requests that fail to authenticate, by the address of their client. */
  const consumeFailures = (fiber: Fiber.Fiber<unknown, unknown>, request: ApiRequest, requests: number) =>
    consume(fiber, `failures:${addressOf(request)}`, limits.failuresPerAddress, requests)

  /** Completes a response. Every failure to authenticate counts. */
  const complete = (
    fiber: Fiber.Fiber<unknown, unknown>,
    request: ApiRequest,
    quota: Quota,
    response: ApiResponse
  ): Effect.Effect<ApiResponse> => {
    const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
    const limited = response.status === 429 ? response : withHeaders(response, quota, now)
    return response.status === 401
      ? withQuota(consumeFailures(fiber, request, 1), () => Effect.succeed(limited))
      : Effect.succeed(limited)
  }

  const handleAccepted = (request: ApiRequest, digest: string, key: string): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      return withQuota(consume(fiber, key, limits.perToken), (quota) => {
        if (quota.isExceeded) return Effect.succeed(rejection(quota, now))
        return handle(fiber, request, (response) => {
          if (response.status === 401) accepted.remove(digest)
          return complete(fiber, request, quota, response)
        })
      })
    })

  const handleOther = (request: ApiRequest): Effect.Effect<ApiResponse> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const address = addressOf(request)
      return withQuota(consumeFailures(fiber, request, 0), (failures) => {
        if (failures.remaining <= 0) return Effect.succeed(rejection({ ...failures, isExceeded: true }, now))
        const perAddress = loadsPage(request)
          ? consume(fiber, `pages:${address}`, limits.perAddress * pagesPerRequest)
          : consume(fiber, `address:${address}`, limits.perAddress)
        return withQuota(perAddress, (quota) => {
          if (quota.isExceeded) return Effect.succeed(rejection(quota, now))
          return handle(fiber, request, (response) => complete(fiber, request, quota, response))
        })
      })
    })

  return (request) => {
    if (requestKindOf(request) === "health") return dispatch(request)
    const token = authenticatesByToken(request)
      ? bearer.exec(request.header("authorization") ?? "")?.[1]
      : undefined
    const digest = token === undefined ? undefined : digestOf(token)
    const key = digest === undefined ? undefined : accepted.keyOf(digest)
    return digest !== undefined && key !== undefined
      ? handleAccepted(request, digest, key)
      : handleOther(request)
  }
}
