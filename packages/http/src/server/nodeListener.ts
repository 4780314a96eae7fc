/** The API as a listener of Node's own HTTP server, and so of Express, Fastify and others. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Exit, type Fiber } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, unknownPath } from "./failures.ts"
import type { ApiRequest, ApiResponse } from "./Message.ts"
import { defaultBodyLimit, type HttpOptions, withoutPrefix } from "./Options.ts"

/** A listener, as `http.createServer` and `app.use` take it. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** Runs the effect of a request in the workspace's own runtime. */
export type Run = <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A, unknown>

const nothing = new Uint8Array()

/** Reads a body as it comes, and stops at the limit: no more than that is ever held. */
const readBody = (request: IncomingMessage, limit: number): Effect.Effect<Uint8Array, BodyTooLarge> =>
  Effect.callback((resume) => {
    if (Number(request.headers["content-length"]) > limit) {
      return resume(Effect.fail(new BodyTooLarge({ limit })))
    }
    const chunks: Array<Uint8Array> = []
    let size = 0
    const done = () => {
      request.removeListener("data", onData)
      request.removeListener("end", onEnd)
    }
    const onData = (chunk: Uint8Array) => {
      size += chunk.length
      if (size > limit) {
        done()
        request.pause()
        return resume(Effect.fail(new BodyTooLarge({ limit })))
      }
      chunks.push(chunk)
    }
    const onEnd = () => {
      done()
      resume(
        Effect.succeed(
          chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? nothing : Buffer.concat(chunks)
        )
      )
    }
    // A client that goes away in the middle ends nothing here: closing interrupts the whole request.
    request.on("data", onData)
    request.on("end", onEnd)
    return Effect.sync(done)
  })

const send = (response: ServerResponse, { status, headers, body }: ApiResponse): void => {
  if (response.destroyed || response.headersSent) return
  if (body === undefined) {
    // What has no body has no length either, where HTTP knows that by the status.
    if (status !== 204 && status !== 304) headers["content-length"] ??= "0"
    response.writeHead(status, headers)
    response.end()
    return
  }
  headers["content-length"] = String(typeof body === "string" ? Buffer.byteLength(body) : body.length)
  response.writeHead(status, headers)
  response.end(body)
}

/** Listens by a dispatcher. */
export const listen = (dispatch: Dispatcher, run: Run, options: HttpOptions): NodeListener => {
  const { prefix = "", bodyLimit = defaultBodyLimit } = options
  return (incoming, outgoing) => {
    const url = withoutPrefix(incoming.url ?? "/", prefix)
    if (url === undefined) return send(outgoing, unknownPath())
    const request: ApiRequest = {
      method: incoming.method ?? "GET",
      url,
      header: (name) => {
        const value = incoming.headers[name]
        return typeof value === "string" ? value : value?.[0]
      },
      body: readBody(incoming, bodyLimit)
    }
    const fiber = run(dispatch(request))
    let finished = false
    fiber.addObserver((exit) => {
      finished = true
      if (Exit.isSuccess(exit)) send(outgoing, exit.value)
      else if (!outgoing.destroyed) outgoing.destroy()
    })
    if (!finished) {
      outgoing.once("close", () => {
        if (!finished) fiber.interruptUnsafe()
      })
    }
  }
}
