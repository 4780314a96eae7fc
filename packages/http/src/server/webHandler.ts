/** The API as a web-standard handler: a function from a `Request` to a `Response`. */
import { Effect } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, unknownPath } from "./failures.ts"
import type { ApiRequest, ApiResponse } from "./Message.ts"
import { defaultBodyLimit, type HttpOptions, withoutPrefix } from "./Options.ts"

/** A handler, as Hono, Next, Bun, Deno and Workers take it. */
export type WebHandler = (request: Request) => Promise<Response>

/** Runs the effect of a request; `signal` aborts it when the client goes away. */
export type RunPromise = <A>(
  effect: Effect.Effect<A>,
  options: { readonly signal: AbortSignal }
) => Promise<A>

const readBody = (request: Request, limit: number): Effect.Effect<Uint8Array, BodyTooLarge> =>
  Effect.flatMap(
    Effect.promise(async () => {
      if (request.body === null) return new Uint8Array()
      const chunks: Array<Uint8Array> = []
      let size = 0
      for await (const chunk of request.body) {
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
    }),
    (bytes) => (bytes === undefined ? Effect.fail(new BodyTooLarge({ limit })) : Effect.succeed(bytes))
  )

const toWeb = ({ status, headers, body }: ApiResponse): Response => {
  // A Response of these statuses throws where it is given a body, an empty one included.
  const content = status === 204 || status === 205 || status === 304 ? null : (body ?? null)
  return new Response(content as BodyInit | null, { status, headers })
}

/** Handles requests by a dispatcher. */
export const handle = (dispatch: Dispatcher, run: RunPromise, options: HttpOptions): WebHandler => {
  const { prefix = "", bodyLimit = defaultBodyLimit } = options
  return async (incoming) => {
    const { pathname, search } = new URL(incoming.url)
    const url = withoutPrefix(pathname + search, prefix)
    if (url === undefined) return toWeb(unknownPath())
    const request: ApiRequest = {
      method: incoming.method,
      url,
      header: (name) => incoming.headers.get(name) ?? undefined,
      body: readBody(incoming, bodyLimit)
    }
    return toWeb(await run(dispatch(request), { signal: incoming.signal }))
  }
}
