/** Options of the API, whatever serves it. */
import { Effect } from "effect"
import { withCors } from "./cors.ts"
import { makeApiDispatcher } from "./Dispatcher.ts"
import { makeNonApiRoutes } from "./routes/nonApiRoutes.ts"

/** Options of the API. */
export interface HttpOptions {
  /** The path that the API is mounted under, as in `/docs-api`; none by default. */
  readonly prefix?: string
  /** The most bytes of a request body; 10 MiB by default. */
  readonly bodyLimit?: number
  /** The origins of web pages that may call the API, or `*` for any; none by default. */
  readonly cors?: ReadonlyArray<string> | "*"
  /** Whether to log each request, at the level `Info`; false by default, because hosts have a log of their own. */
  readonly logRequests?: boolean
  /**
   * Whether to validate every response against its declaration, for tests: one that differs becomes a 500, and the log
   * has the differences. False by default, because it takes longer than the response itself.
   */
  readonly validateResponses?: boolean
}

/** The default limit of a request body, in bytes. */
export const defaultBodyLimit = 10 * 1024 * 1024

/** Creates the dispatcher of a workspace, with the options applied. */
export const makeDispatcher = Effect.fnUntraced(function* (options: HttpOptions) {
  const nonApiRoutes = yield* makeNonApiRoutes
  const dispatch = yield* makeApiDispatcher(nonApiRoutes, {
    logRequests: options.logRequests === true,
    validateResponses: options.validateResponses === true
  })
  return options.cors === undefined || options.cors.length === 0 ? dispatch : withCors(dispatch, options.cors)
})

/** Returns the prefix with a slash before it and none after it, or an empty string where there is none. */
export const prefixOf = ({ prefix = "" }: HttpOptions): string => {
  const inner = prefix.replace(/^\/+|\/+$/g, "")
  return inner === "" ? "" : `/${inner}`
}

/** Returns a path without the prefix, or `undefined` when it does not begin with the prefix. */
export const withoutPrefix = (url: string, prefix: string): string | undefined => {
  if (prefix === "") return url
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}
