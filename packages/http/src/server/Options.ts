/** The options that every way of serving the API shares. */
import type { MakeAnswers } from "@lectern/answers"
import { apiWithFeatures } from "@lectern/client"
import {
  Authenticator,
  EdgeCaching,
  type EdgeCachingOptions,
  PublicUrl,
  Records,
  RequestBaseUrl,
  TokenAddresses
} from "@lectern/core"
import { Effect } from "effect"
import type { HttpFeature } from "../HttpFeature.ts"
import type { MakeProgramAuthorization, ProgramAuthorization } from "../programs/ProgramPort.ts"
import { AcceptsCrossOriginCredentials } from "./authentication/ownOrigin.ts"
import { completeResponses } from "./completeResponses.ts"
import { withCors } from "./cors.ts"
import { type Dispatcher, defectResponse, makeApiDispatcher } from "./Dispatcher.ts"
import { withEventPosition } from "./eventPosition.ts"
import { type Limits, withLimits } from "./limits/limits.ts"
import { observeAuthenticator } from "./limits/observeAuthenticator.ts"
import { withLoopbackBaseUrl } from "./loopbackBaseUrl.ts"
import { version } from "./messages/apiVersion.ts"
import type { TrustedProxies } from "./proxies.ts"
import { type MakeApplication, makeApplicationRoute } from "./routes/application.ts"
import type { MetricsAccess } from "./routes/metrics.ts"
import { makeNonApiRoutes } from "./routes/nonApiRoutes.ts"
import type { MakePageReader } from "./routes/pages.ts"
import { workspaceMcpPath } from "./routes/workspaceMcpPath.ts"
import { makeScriptHosts } from "./scriptHosts.ts"
import { defaultUploadLimit } from "./uploads.ts"
import { withCallOrigin } from "./withCallOrigin.ts"

/**
 * Wraps the handling of every request, also of those outside of `/v1`. It can inspect and replace the request, respond
 * without calling `next`, and change the response. Its responses have the headers of all responses, and are logged.
 *
 * @example
 * const withBanner: HttpMiddleware = (next) => (request) =>
 *   Effect.map(next(request), (response) => ({ ...response, headers: { ...response.headers, "x-banner": "1" } }))
 */
export type HttpMiddleware = (next: Dispatcher) => Dispatcher

/** Options of `toNodeListener`, `toWebHandler`, `serve` and {@link makeDispatcher}. */
export interface HttpOptions<Services = never> {
  /** The path that the API is mounted under, such as `/docs-api`. None by default. */
  readonly prefix?: string
  /** The maximum size of a request body, in bytes; 10 MiB by default. A larger body is rejected with 413. */
  readonly bodyLimit?: number
  /**
   * The maximum size of the body of an upload of files (`multipart/form-data`), in bytes; 1 GiB by default. A larger body is
   * rejected with 413. It is stored while it arrives, and is not in memory as a whole.
   */
  readonly uploadLimit?: number
  /**
   * Whether to compress responses with br, zstd or gzip, if the client accepts it. `true` by default; `false` if a proxy
   * compresses them. Responses that are not stored by caches are never compressed.
   */
  readonly compression?: boolean
  /** The origins of web pages that can call the API, or `*` for all. None by default. */
  readonly cors?: ReadonlyArray<string> | "*"
  /**
   * The proxies whose `Forwarded` and `X-Forwarded-For` headers apply: addresses and networks in CIDR notation, or the number
   * of proxies that every request passes. None by default: the headers are ignored, because clients can send them too.
   */
  readonly trustedProxies?: TrustedProxies
  /**
   * The hosts that links in responses can have, as in `docs.example.com`, `*.example.com` or `*`: a request that a trusted
   * proxy has forwarded from one of them has links to this host, instead of the public URL of the workspace. None by default.
   * SAML, signed tokens, PDFs and background work always use the public URL.
   */
  readonly publicHosts?: ReadonlyArray<string>
  /**
   * Whether to accept requests of pages of other origins that have no `Authorization` header, which browsers add cookies to.
   * `false` by default: any website could act for a user with a session. Set it only if `authenticate` rejects such requests
   * itself.
   */
  readonly acceptCrossOriginCredentials?: boolean
  /** The middleware of the host; the first is the outermost. None by default. */
  readonly middleware?: ReadonlyArray<HttpMiddleware>
  /**
   * Whether to log each request at the level `Info`: method, route, status, duration and request id. `false` by default,
   * because most hosts log requests themselves. Errors with status 500 and 503 are always logged.
   */
  readonly logRequests?: boolean
  /**
   * Whether to validate every response against its declaration, for tests. A response that differs, also by an excess field, becomes
   * a 500, and the differences are logged. `false` by default, because validation takes longer than building the response: then only the
   * responses of `features` are validated, and may have excess fields.
   */
  readonly validateResponses?: boolean
  /** The features of the host whose operations are served under `/v1`. Their services must be services of the workspace. */
  readonly features?: ReadonlyArray<HttpFeature<Services>>
  /** The limits of requests: their number, their duration and their rate. */
  readonly limits?: Limits
  /**
   * Serves published sites and previews as web pages: `makeReader` of `@lectern/reader`. Without it, their URLs are 404.
   *
   * @example
   * toNodeListener(workspace, { reader: makeReader })
   */
  readonly reader?: MakePageReader
  /**
   * Serves the application in the browser at `/app`, below the path of the API: `studio` of `@lectern/studio`. Without it, its URLs
   * are 404.
   *
   * @example
   * toNodeListener(workspace, { reader: makeReader, studio })
   */
  readonly studio?: MakeApplication
  /**
   * Lets people authorize programs of others by OAuth 2.1: `programAuthorization` of `@lectern/http/server`. Without it, programs need
   * an API token.
   *
   * @example
   * serve({ programs: programAuthorization })
   */
  readonly programs?: MakeProgramAuthorization
  /**
   * Answers questions about content by a language model: `modelAnswers` of `@lectern/answers`. Without it, questions result in the error
   * `ModelMissing`, and pages have no form for them.
   *
   * @example
   * toNodeListener(workspace, { answers: modelAnswers({ url: "https://models.example.com/v1", name: "small", fetch: nodeFetcher() }) })
   */
  readonly answers?: MakeAnswers
  /**
   * Lets shared caches, such as a CDN, store the pages and files of public sites for a time. Without it, only browsers store them, and
   * revalidate pages. `purgeEdge` of `@lectern/http/server` removes what changes.
   *
   * @example
   * toNodeListener(workspace, { reader: makeReader, edge: { maxAgeSeconds: 300, staleSeconds: 0 } })
   */
  readonly edge?: EdgeCachingOptions
  /**
   * Serves `/metrics` in the text format of Prometheus, to requests with this token. Without it, `/metrics` is 404.
   *
   * @example
   * toNodeListener(workspace, { metrics: { token: Redacted.make(process.env.METRICS_TOKEN) } })
   */
  readonly metrics?: MetricsAccess
  /** Returns whether the host is about to stop: `/readyz` then responds with 503. Never by default. */
  readonly isDraining?: () => boolean
}

/** The default of `bodyLimit`, in bytes. */
export const defaultBodyLimit = 10 * 1024 * 1024

/** Runs the middleware of a host around the API. A defect of a middleware is a 500. */
const withMiddleware = (dispatch: Dispatcher, middleware: ReadonlyArray<HttpMiddleware>): Dispatcher => {
  if (middleware.length === 0) return dispatch
  const wrapped = middleware.reduceRight((next, wrap) => wrap(next), dispatch)
  return (request) =>
    Effect.catchCause(
      Effect.suspend(() => wrapped(request)),
      (cause) => defectResponse(request, cause)
    )
}

/** Makes the links in responses begin with the base URL of the request, if it has one of its own. */
const withRequestBaseUrl =
  (dispatch: Dispatcher): Dispatcher =>
  (request) =>
    request.baseUrl === undefined
      ? dispatch(request)
      : Effect.provideService(dispatch(request), RequestBaseUrl, request.baseUrl)

/** Names the authorization server in responses of the API to requests without valid credentials. */
const withChallenges = (dispatch: Dispatcher, programs: ProgramAuthorization | undefined): Dispatcher =>
  programs === undefined
    ? dispatch
    : (request) =>
        Effect.map(dispatch(request), (response) => {
          if (response.status === 401 && request.url.startsWith(`${version}/`)) {
            const isMcp = request.url.split("?", 1)[0] === workspaceMcpPath
            response.headers["www-authenticate"] = programs.challengeOf(
              request,
              isMcp ? workspaceMcpPath : version
            )
          }
          return response
        })

/** Lets the lookups of a request in the caches of rows share one reading of the versions. */
const withSharedReading =
  (dispatch: Dispatcher, { cacheVersions }: Records["Service"]): Dispatcher =>
  (request) =>
    cacheVersions.sharing(dispatch(request))

/** Creates the dispatcher of a workspace: a function from requests to responses that needs no server. */
export const makeDispatcher = <Services = never>(options: HttpOptions<Services>) =>
  makeServiceDispatcher(options).pipe(
    Effect.provideService(AcceptsCrossOriginCredentials, options.acceptCrossOriginCredentials === true),
    Effect.provideService(EdgeCaching, options.edge)
  )

const makeServiceDispatcher = Effect.fnUntraced(function* <Services>(options: HttpOptions<Services>) {
  const { uploadLimit = defaultUploadLimit, features = [] } = options
  // Rejects groups and operations with the same names.
  apiWithFeatures(features.map(({ group }) => group))
  // Every route authenticates with it, so that no route can miss the limits of failures and of tokens.
  const authenticator = observeAuthenticator(yield* Authenticator)
  const programs =
    options.programs === undefined
      ? undefined
      : yield* Effect.provideService(options.programs, Authenticator, authenticator)
  const reader =
    options.reader === undefined
      ? undefined
      : yield* Effect.provideService(options.reader, Authenticator, authenticator)
  const answers = options.answers === undefined ? undefined : yield* options.answers
  const withScriptHosts = yield* makeScriptHosts(reader, answers)
  const nonApiRoutes = yield* makeNonApiRoutes(
    options.isDraining ?? (() => false),
    (options.publicHosts ?? []).length > 0,
    reader === undefined ? undefined : Effect.succeed(reader),
    options.studio === undefined
      ? undefined
      : yield* makeApplicationRoute(options.studio, normalizePrefix(options)),
    options.metrics,
    uploadLimit,
    features.map(({ group }) => group),
    programs,
    answers
  ).pipe(Effect.provideService(Authenticator, authenticator))
  const api = yield* makeApiDispatcher(nonApiRoutes, {
    validateResponses: options.validateResponses === true,
    uploadLimit,
    features
  }).pipe(Effect.provideService(Authenticator, authenticator), Effect.flatMap(withEventPosition))
  const {
    cors = [],
    middleware = [],
    logRequests = false,
    bodyLimit = defaultBodyLimit,
    compression = true
  } = options
  const dispatch = yield* withLimits(
    withSharedReading(
      withCallOrigin(
        withRequestBaseUrl(withMiddleware(withScriptHosts(withChallenges(api, programs)), middleware)),
        yield* TokenAddresses
      ),
      yield* Records
    ),
    options.limits ?? {}
  )
  const publicUrl = yield* PublicUrl
  const based = withLoopbackBaseUrl(dispatch, publicUrl)
  return completeResponses(cors.length === 0 ? based : withCors(based, cors), {
    logRequests,
    bodyLimit,
    compression,
    isHttps: publicUrl.startsWith("https:")
  })
})

/** Returns the prefix with a leading and without a trailing slash, or an empty string if it is not set. */
export const normalizePrefix = ({ prefix = "" }: Pick<HttpOptions, "prefix">): string => {
  const trimmed = prefix.replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** Returns a URL without the prefix, or `undefined` if it does not begin with the prefix. */
export const stripPrefix = (url: string, prefix: string): string | undefined => {
  if (prefix === "") return url
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}
