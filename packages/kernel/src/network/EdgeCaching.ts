/** Storage of public responses by shared caches, such as a CDN, which purge them by keys. */
import { Context } from "effect"

/** How long shared caches may store the pages and files of public sites. */
export interface EdgeCachingOptions {
  /** How long a response is fresh, in seconds. */
  readonly maxAgeSeconds: number
  /** How long caches, including browsers, may return a response that is not fresh while they request the current one, in seconds. */
  readonly staleSeconds: number
}

/** The storage of public responses by shared caches; undefined, the default, if only clients store them. */
export const EdgeCaching = Context.Reference<EdgeCachingOptions | undefined>("@lectern/core/EdgeCaching", {
  defaultValue: () => undefined
})

/** The key of every response that shared caches store. */
export const everyKey = "lectern"

/** The kinds of scopes that pages and files of sites depend on. Others change with every request of a session or a token. */
const publicKinds = /^(?:organization|space|site|host):/

/** Returns the keys of the responses that depend on these scopes. */
export const edgeKeysOf = (scopes: Iterable<string>): ReadonlyArray<string> =>
  [...scopes].filter((scope) => publicKinds.test(scope)).sort()

/**
 * Returns the headers with which shared caches store a response that depends on these scopes. Its keys are in the headers that Fastly
 * (`Surrogate-Key`) and Cloudflare (`Cache-Tag`) read; other caches can be configured to read either. `clientCaching` are the directives
 * for browsers.
 */
export const edgeHeaders = (
  { maxAgeSeconds, staleSeconds }: EdgeCachingOptions,
  scopes: Iterable<string>,
  clientCaching: string
): Record<string, string> => {
  const keys = [everyKey, ...edgeKeysOf(scopes)]
  return {
    "cache-control": [
      "public",
      clientCaching,
      `s-maxage=${maxAgeSeconds}`,
      ...(staleSeconds === 0 ? [] : [`stale-while-revalidate=${staleSeconds}`])
    ].join(", "),
    "surrogate-key": keys.join(" "),
    "cache-tag": keys.join(",")
  }
}
