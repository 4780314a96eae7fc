/**
 * Caches the responses that are the same for all visitors until something changes that they show: the site, its organization, or a space
 * that the response was computed from. A repeated request issues one query, for the versions that were raised.
 */
import { makeVersionedCache, type Records, type StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { matchesTag, type ReaderRequest, type ReaderResponse } from "./messages.ts"

/** The capacity of the cache, in bytes. */
export const maximumCachedBytes = 50_000_000

/** A response that can be cached, with the size of its body. */
interface PublicResponse extends ReaderResponse {
  readonly body: Uint8Array
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

/** A response that must not be cached, as an error that leaves the lookup. */
class Uncached<A> {
  readonly response: A
  constructor(response: A) {
    this.response = response
  }
}

/** Creates the function that returns a cached response, or computes and caches it. `key` determines the response. */
export const makePublicResponses = (records: Records["Service"], maximumBytes: number) => {
  const cached = makeVersionedCache<PublicResponse>(records, "public responses", maximumBytes, {
    sizeOf: ({ body }) => body.length + 1,
    bySnapshot: true
  })

  return <A extends ReaderResponse | undefined, E>(
    key: string,
    request: ReaderRequest,
    compute: (request: ReaderRequest) => Effect.Effect<A, E>
  ): Effect.Effect<ReaderResponse | A, E | StorageUnavailable> =>
    cached({ key, scopes: () => [] }, () =>
      Effect.flatMap(compute(request), (response) => {
        if (response === undefined || !isCacheable(response)) return Effect.fail(new Uncached(response))
        const body = typeof response.body === "string" ? Buffer.from(response.body) : response.body!
        return Effect.succeed({ ...response, headers: { ...response.headers }, body })
      })
    ).pipe(
      Effect.map((response) => toFresh(request, response)),
      Effect.catchIf(
        (error): error is Uncached<A> => error instanceof Uncached,
        ({ response }) => Effect.succeed(response)
      )
    )
}
