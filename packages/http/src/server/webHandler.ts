/** Serves the API as a web-standard handler: a function from a `Request` to a `Response`. */
import type { InvalidInput } from "@lectern/core"
import { Effect, Stream } from "effect"
import { withoutDispatch } from "./completeResponses.ts"
import type { Dispatcher } from "./Dispatcher.ts"
import { limitBytes, requireLength } from "./messages/byteStreams.ts"
import { BodyTooLarge, incompleteBody, unknownPath } from "./messages/failures.ts"
import {
  type ApiRequest,
  type ApiResponse,
  byteLengthOf,
  isStreamedBody,
  type StreamedBody
} from "./messages/Message.ts"
import { requestIdOf } from "./messages/requestId.ts"
import { defaultBodyLimit, type HttpOptions, normalizePrefix, stripPrefix } from "./Options.ts"
import { makeClientResolver } from "./proxies.ts"
import { makeBaseUrlResolver } from "./requestBaseUrl.ts"

/** The connection of a request, which a web-standard `Request` does not contain. */
export interface Connection {
  /** The IP address of the client, or of the proxy that has forwarded the request. */
  readonly remoteAddress?: string | undefined
}

/** A web-standard handler, which Hono, Next, Bun, Deno and Workers accept. */
export type WebHandler = (request: Request, connection?: Connection) => Promise<Response>

/** Runs the effect of a request. `signal` interrupts it when the client disconnects. */
export type RunPromise = <A>(
  effect: Effect.Effect<A>,
  options: { readonly signal: AbortSignal }
) => Promise<A>

/** Streams a body of at most `limit` bytes. */
const streamBody = (
  { body, headers }: Request,
  limit: number
): Stream.Stream<Uint8Array, BodyTooLarge | InvalidInput> => {
  if (body === null) return Stream.empty
  const tooLarge = () => new BodyTooLarge({ limit })
  if (Number(headers.get("content-length")) > limit) return Stream.fail(tooLarge())
  return limitBytes(
    // The stream fails if the client disconnects, and cannot be created if the host has read it already.
    Stream.suspend(() =>
      body.locked
        ? Stream.fail(incompleteBody)
        : Stream.fromReadableStream({ evaluate: () => body, onError: () => incompleteBody })
    ),
    limit,
    tooLarge
  )
}

/** Reads a body. Holds at most `limit` bytes in memory. */
const readBody = (request: Request, limit: number): Effect.Effect<Uint8Array, BodyTooLarge | InvalidInput> =>
  Effect.map(Stream.runCollect(streamBody(request, limit)), (chunks) => Buffer.concat(chunks))

/** Never fails, and ends when the signal aborts. */
const aborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const onAbort = () => resume(Effect.void)
    if (signal.aborted) return onAbort()
    signal.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", onAbort))
  })

/** Converts a streamed body, which ends with an error if it fails, and stops when the client disconnects. */
const toReadableStream = (
  { stream, length }: StreamedBody,
  signal: AbortSignal
): Effect.Effect<ReadableStream<Uint8Array>> =>
  Stream.toReadableStreamEffect(
    (length === undefined ? stream : requireLength(stream, length)).pipe(
      Stream.tapCause((cause) => Effect.logError("response body", cause)),
      Stream.interruptWhen(aborted(signal))
    )
  )

/** Converts a response whose body is not a stream to a web-standard `Response`. */
export const toWeb = ({ status, headers, body }: ApiResponse): Response => {
  // The constructor throws for these statuses if there is a body, even an empty one.
  const content = status === 204 || status === 205 || status === 304 ? null : (body ?? null)
  if (content !== null && body !== undefined) headers["content-length"] ??= String(byteLengthOf(body))
  return new Response(content as BodyInit | null, { status, headers })
}

/** Converts a response. The body of a stream is produced when it is read. */
const toStreamedWeb = (response: ApiResponse, signal: AbortSignal): Effect.Effect<Response> => {
  const { status, headers, body } = response
  if (!isStreamedBody(body)) return Effect.sync(() => toWeb(response))
  if (body.length !== undefined) headers["content-length"] = String(body.length)
  return Effect.map(toReadableStream(body, signal), (stream) => new Response(stream, { status, headers }))
}

/** Creates a web-standard handler over a dispatcher. */
export const makeWebHandler = (
  dispatch: Dispatcher,
  run: RunPromise,
  options: HttpOptions<unknown>
): WebHandler => {
  const { bodyLimit = defaultBodyLimit } = options
  const prefix = normalizePrefix(options)
  const resolveClient = makeClientResolver(options.trustedProxies)
  const resolveBaseUrl = makeBaseUrlResolver(options.trustedProxies, options.publicHosts)
  return async (incoming, connection) => {
    const { pathname, search } = new URL(incoming.url)
    const url = stripPrefix(pathname + search, prefix)
    const header = (name: string) => incoming.headers.get(name) ?? undefined
    if (url === undefined) return toWeb(withoutDispatch(unknownPath(), header("x-request-id")))
    const request: ApiRequest = {
      id: requestIdOf(header("x-request-id")),
      method: incoming.method,
      url,
      header,
      body: readBody(incoming, bodyLimit),
      streamBody: (limit) => streamBody(incoming, limit),
      remoteAddress: resolveClient(connection?.remoteAddress, header),
      baseUrl: resolveBaseUrl(connection?.remoteAddress, header, prefix)
    }
    const { signal } = incoming
    return run(
      Effect.flatMap(dispatch(request), (response) => toStreamedWeb(response, signal)),
      { signal }
    )
  }
}
