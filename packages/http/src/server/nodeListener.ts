/** The API as a listener of Node's own HTTP server, and so of Express, Fastify and others. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Exit, type Fiber } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, unknownPath } from "./messages/failures.ts"
import type { ApiRequest, ApiResponse } from "./messages/Message.ts"
import { withRequestId } from "./messages/requestId.ts"
import { defaultBodyLimit, type HttpOptions, prefixOf, withoutPrefix } from "./Options.ts"

/** A listener, as `http.createServer` and `app.use` take it. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** Runs the effect of a request in the workspace's own runtime. */
export type Run = <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A, unknown>

const emptyBody = new Uint8Array()

/** How long a client may go on sending a body that is too large, in milliseconds, before the connection is closed. */
const drainTimeoutMillis = 2_000

/** What a body parser of the host made of the body, as bytes again: nobody else can read it once more. */
const bytesOf = (parsed: unknown): Uint8Array => {
  if (parsed === undefined) return emptyBody
  if (parsed instanceof Uint8Array) return parsed
  return Buffer.from(typeof parsed === "string" ? parsed : JSON.stringify(parsed))
}

/** Reads a body up to the limit; no more than that is ever in memory. */
const readBody = (
  request: IncomingMessage & { readonly body?: unknown },
  limit: number
): Effect.Effect<Uint8Array, BodyTooLarge> =>
  Effect.callback((resume) => {
    if (request.readableEnded) return resume(Effect.succeed(bytesOf(request.body)))
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
          chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? emptyBody : Buffer.concat(chunks)
        )
      )
    }
    // A client that disconnects in the middle is not handled here: closing interrupts the whole request.
    request.on("data", onData)
    request.on("end", onEnd)
    return Effect.sync(done)
  })

/**
 * Responds to a body that is too large, and closes the connection after a delay: a connection that is closed while its
 * client still sends is reset, and the response is lost with it. What arrives in the meantime is discarded.
 */
const rejectAndClose = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: ApiResponse
) => {
  const end = () => {
    clearTimeout(late)
    outgoing.end()
  }
  const late = setTimeout(end, drainTimeoutMillis)
  incoming.once("end", end).once("close", end).resume()
  outgoing.writeHead(status, {
    ...headers,
    connection: "close",
    "content-length": Buffer.byteLength(body ?? "")
  })
  outgoing.write(body ?? "")
}

/** Sends a response, unless the client has disconnected. */
export const sendResponse = (
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: ApiResponse
): void => {
  if (response.destroyed || response.headersSent) return
  const { status, headers, body } = answer
  if (status === 413 && !incoming.readableEnded) {
    rejectAndClose(incoming, response, answer)
    return
  }
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

/** Creates a listener. `detachedFibers` collects the fibers that still run after their client has disconnected. */
export const listen = (
  dispatch: Dispatcher,
  run: Run,
  options: HttpOptions,
  detachedFibers?: Set<Fiber.Fiber<unknown, unknown>>
): NodeListener => {
  const { bodyLimit = defaultBodyLimit } = options
  const prefix = prefixOf(options)
  return (incoming, outgoing) => {
    if (outgoing.destroyed) return
    const header = (name: string) => {
      // A body that the host has read is no longer compressed.
      if (name === "content-encoding" && incoming.readableEnded) return undefined
      const value = incoming.headers[name]
      return typeof value === "string" ? value : value?.[0]
    }
    const url = withoutPrefix(incoming.url ?? "/", prefix)
    if (url === undefined) {
      return sendResponse(incoming, outgoing, withRequestId(unknownPath(), header("x-request-id")))
    }
    const request: ApiRequest = {
      method: incoming.method ?? "GET",
      url,
      header,
      body: readBody(incoming, bodyLimit)
    }
    const fiber = run(dispatch(request))
    let finished = false
    fiber.addObserver((exit) => {
      finished = true
      if (Exit.isSuccess(exit)) sendResponse(incoming, outgoing, exit.value)
      else if (!outgoing.destroyed) outgoing.destroy()
    })
    if (!finished) {
      outgoing.once("close", () => {
        if (finished) return
        fiber.interruptUnsafe()
        detachedFibers?.add(fiber)
        fiber.addObserver(() => detachedFibers?.delete(fiber))
      })
    }
  }
}
