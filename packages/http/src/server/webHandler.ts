/** Serves the API as a web-standard handler: a function from a `Request` to a `Response`. */
import { InvalidInput } from "@lectern/core"
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, unknownPath } from "./messages/failures.ts"
import type { ApiRequest, ApiResponse } from "./messages/Message.ts"
import { withRequestId } from "./messages/requestId.ts"
import { defaultBodyLimit, type HttpOptions, normalizePrefix, stripPrefix } from "./Options.ts"

/** A web-standard handler, which Hono, Next, Bun, Deno and Workers accept. */
export type WebHandler = (request: Request) => Promise<Response>

/** Runs the effect of a request. `signal` interrupts it when the client disconnects. */
export type RunPromise = <A>(
  effect: Effect.Effect<A>,
  options: { readonly signal: AbortSignal }
) => Promise<A>

const incompleteBody = new InvalidInput({
  reason: "InvalidFields",
  message: "The request body ended before its declared length.",
  details: []
})

/** Reads a stream, or returns `undefined` if it has more than `limit` bytes. */
const readStream = async (
  stream: ReadableStream<Uint8Array>,
  limit: number
): Promise<Uint8Array | undefined> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > limit) return undefined
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Reads a body. Holds at most `limit` bytes in memory. */
const readBody = (
  { body, headers }: Request,
  limit: number
): Effect.Effect<Uint8Array, BodyTooLarge | InvalidInput> => {
  if (body === null) return Effect.succeed(new Uint8Array())
  if (Number(headers.get("content-length")) > limit) return Effect.fail(new BodyTooLarge({ limit }))
  return Effect.flatMap(
    // The stream fails if the client disconnects, or if the host has read it already.
    Effect.tryPromise({ try: () => readStream(body, limit), catch: () => incompleteBody }),
    (bytes) => (bytes === undefined ? Effect.fail(new BodyTooLarge({ limit })) : Effect.succeed(bytes))
  )
}

/** Converts a response to a web-standard `Response`. */
export const toWeb = ({ status, headers, body }: ApiResponse): Response => {
  // The constructor throws for these statuses if there is a body, even an empty one.
  const content = status === 204 || status === 205 || status === 304 ? null : (body ?? null)
  return new Response(content as BodyInit | null, { status, headers })
}

/** Creates a web-standard handler over a dispatcher. */
export const makeWebHandler = (dispatch: Dispatcher, run: RunPromise, options: HttpOptions): WebHandler => {
  const { bodyLimit = defaultBodyLimit } = options
  const prefix = normalizePrefix(options)
  return async (incoming) => {
    const { pathname, search } = new URL(incoming.url)
    const url = stripPrefix(pathname + search, prefix)
    const header = (name: string) => incoming.headers.get(name) ?? undefined
    if (url === undefined) return toWeb(withRequestId(unknownPath(), header("x-request-id")))
    const request: ApiRequest = {
      method: incoming.method,
      url,
      header,
      body: readBody(incoming, bodyLimit)
    }
    return toWeb(await run(dispatch(request), { signal: incoming.signal }))
  }
}
