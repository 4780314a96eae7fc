/** How requests of a migration reach an API: over the network through the safe fetcher, or in this process. */
import type { Fetch, FetchRequest } from "@lectern/core"
import { isPermanentFailure } from "@lectern/http"
import { Effect, Schema } from "effect"

/** No complete response arrived: the connection failed, timed out, or ended early. */
export class NoResponse extends Schema.TaggedError<NoResponse>()("NoResponse", {
  message: Schema.String,
  /** Whether a repetition of the request cannot succeed. */
  isPermanent: Schema.optionalKey(Schema.Boolean)
}) {}

/** A request. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH"
  /** An absolute URL. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** The maximum size of the response, in bytes. */
  readonly maximumBytes: number
}

/** A response with any status. */
export interface IncomingResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string
  readonly body: Uint8Array
}

/** Sends a request. */
export type Transport = (request: OutgoingRequest) => Effect.Effect<IncomingResponse, NoResponse>

/** The timeout of a request, in milliseconds. */
const timeoutMillis = 120_000

const toFetchRequest = (request: OutgoingRequest, timeout: number): FetchRequest => ({
  url: request.url,
  maximumBytes: request.maximumBytes,
  timeoutMillis: timeout,
  acceptsAnyStatus: true,
  ...(request.method === "GET"
    ? { headers: request.headers }
    : {
        post: {
          method: request.method,
          body: request.body ?? new Uint8Array(),
          headers: request.headers,
          isResponseRead: true
        }
      })
})

/** Sends requests through the safe fetcher. */
export const fetchTransport =
  (fetch: Fetch, timeout: number = timeoutMillis): Transport =>
  (request) =>
    fetch(toFetchRequest(request, timeout)).pipe(
      Effect.map(({ status, retryAfter, contentType, body }) => ({ status, retryAfter, contentType, body })),
      Effect.mapError(
        (error) => new NoResponse({ message: error.message, isPermanent: isPermanentFailure(error) })
      )
    )

/** Sends requests to a handler in this process. */
export const handlerTransport =
  (handle: (request: Request) => Promise<Response>): Transport =>
  ({ method, url, headers, body }) =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await handle(
          new Request(url, {
            method,
            headers,
            signal,
            ...(body === undefined ? {} : { body: body as BodyInit })
          })
        )
        return {
          status: response.status,
          retryAfter: response.headers.get("retry-after") ?? undefined,
          contentType: response.headers.get("content-type") ?? "",
          body: new Uint8Array(await response.arrayBuffer())
        }
      },
      catch: (error) => new NoResponse({ message: error instanceof Error ? error.message : String(error) })
    })
