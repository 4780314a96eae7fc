/** How the API is served. */
import { Effect } from "effect"
import { withCors } from "./cors.ts"
import { makeApiDispatcher } from "./Dispatcher.ts"
import { makeNonApiRoutes } from "./routes/nonApiRoutes.ts"

/** How the API is served, whatever it is served by. */
export interface HttpOptions {
  /** The path that it is mounted under, as in `/docs-api`; nothing by default. */
  readonly prefix?: string
  /** The most bytes of a body; 10 MiB by default. */
  readonly bodyLimit?: number
  /** The origins of web pages that may call it, or `*` for any; none by default. */
  readonly cors?: ReadonlyArray<string> | "*"
  /** Whether each request is logged, at the level `Info`; not by default, for a host has its own log. */
  readonly logRequests?: boolean
  /**
   * Whether every answer is checked against its declaration, for tests: one that differs becomes a 500, and the log
   * says how. Not by default, for it takes longer than the answer itself.
   */
  readonly validateResponses?: boolean
}

/** The most bytes of a body, where the host does not say. */
export const defaultBodyLimit = 10 * 1024 * 1024

/** The dispatcher of a workspace, with what the options add to it. */
export const makeDispatcher = Effect.fnUntraced(function* (options: HttpOptions) {
  const nonApiRoutes = yield* makeNonApiRoutes
  const dispatch = yield* makeApiDispatcher(nonApiRoutes, {
    logRequests: options.logRequests === true,
    validateResponses: options.validateResponses === true
  })
  return options.cors === undefined || options.cors.length === 0 ? dispatch : withCors(dispatch, options.cors)
})

/** The prefix of the options as paths begin with it: with a slash before it and none behind; empty where there is none. */
export const prefixOf = ({ prefix = "" }: HttpOptions): string => {
  const inner = prefix.replace(/^\/+|\/+$/g, "")
  return inner === "" ? "" : `/${inner}`
}

/** A path without the prefix; undefined where it does not begin with it. */
export const withoutPrefix = (url: string, prefix: string): string | undefined => {
  if (prefix === "") return url
  if (!url.startsWith(prefix)) return undefined
  const rest = url.slice(prefix.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}
