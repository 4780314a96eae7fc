/**
 * Caches the responses that are the same for all visitors until the next commit to the store: a repeated request issues one
 * query, for the snapshot. Under steady writes every lookup misses, and pages come from the cache of rendered pages.
 */
import type { Records, StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import { matchesTag, type ReaderRequest, type ReaderResponse } from "./messages.ts"

/** The capacity of the cache, in bytes. */
export const maximumCachedBytes = 50_000_000

interface CachedResponse {
  readonly snapshot: string
  readonly response: ReaderResponse
}

const isCacheable = ({ status, headers, body }: ReaderResponse): boolean =>
  status === 200 && body !== undefined && headers["cache-control"]?.startsWith("public") === true

/** Returns a copy of a response, whose headers the server may complete. It is 304 if the client has the body already. */
const toFresh = (request: ReaderRequest, { headers, ...response }: ReaderResponse): ReaderResponse => {
  if (!matchesTag(request.header("if-none-match"), headers.etag ?? ""))
    return { ...response, headers: { ...headers } }
  const { "content-type": _, "content-security-policy": __, ...rest } = headers
  return { ...response, status: 304, headers: rest, body: undefined }
}

/** Creates the function that returns a cached response, or computes and caches it. `key` determines the response. */
export const makePublicResponses = (records: Records["Service"], maximumBytes: number) => {
  const cache = new LRUCache<string, CachedResponse>({ maxSize: maximumBytes })

  return <A extends ReaderResponse | undefined, E>(
    key: string,
    request: ReaderRequest,
    compute: (request: ReaderRequest) => Effect.Effect<A, E>
  ): Effect.Effect<ReaderResponse | A, E | StorageUnavailable> =>
    Effect.gen(function* () {
      // Read before anything else: a commit in the meantime makes this entry one that no later lookup accepts.
      const snapshot = yield* records.snapshot
      const found = cache.get(key)
      if (found !== undefined && found.snapshot === snapshot) return toFresh(request, found.response)
      const response = yield* compute(request)
      if (snapshot !== undefined && response !== undefined && isCacheable(response)) {
        const body = typeof response.body === "string" ? Buffer.from(response.body) : response.body!
        const cached = { ...response, headers: { ...response.headers }, body }
        cache.set(key, { snapshot, response: cached }, { size: body.length + key.length })
      }
      return response
    })
}
