/** The options that every way of serving the API shares. */
import { Effect } from "effect"
import { withCors } from "./cors.ts"
import { makeApiDispatcher } from "./Dispatcher.ts"
import { makeNonApiRoutes } from "./routes/nonApiRoutes.ts"

/** Options of `toNodeListener`, `toWebHandler`, `serve` and {@link makeDispatcher}. */
export interface HttpOptions {
  /** The path that the API is mounted under, such as `/docs-api`. None by default. */
  readonly prefix?: string
  /** The maximum size of a request body, in bytes; 10 MiB by default. A larger body is rejected with 413. */
  readonly bodyLimit?: number
  /** The origins of web pages that can call the API, or `*` for all. None by default. */
  readonly cors?: ReadonlyArray<string> | "*"
  /**
   * Whether to log each request at the level `Info`: method, route, status, duration and request id. `false` by default,
   * because most hosts log requests themselves. Errors with status 500 and 503 are always logged.
   */
  readonly logRequests?: boolean
  /**
   * Whether to validate every response against its declaration, for tests. A response that differs becomes a 500, and the
   * differences are logged. `false` by default: validation takes longer than building the response.
   */
  readonly validateResponses?: boolean
}

/** The default of `bodyLimit`, in bytes. */
export const defaultBodyLimit = 10 * 1024 * 1024

/** Creates the dispatcher of a workspace: a function from requests to responses that needs no server. */
export const makeDispatcher = Effect.fnUntraced(function* (options: HttpOptions) {
  const nonApiRoutes = yield* makeNonApiRoutes
  const dispatch = yield* makeApiDispatcher(nonApiRoutes, {
    logRequests: options.logRequests === true,
    validateResponses: options.validateResponses === true
  })
  return options.cors === undefined || options.cors.length === 0 ? dispatch : withCors(dispatch, options.cors)
})

/** Returns the prefix with a leading and without a trailing slash, or an empty string if it is not set. */
export const normalizePrefix = ({ prefix = "" }: HttpOptions): string => {
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
