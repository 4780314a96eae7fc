/** Serves the API as a listener of Node's HTTP server, also within Express, Fastify and others. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Exit, type Fiber } from "effect"
import type { Dispatcher } from "./Dispatcher.ts"
import { BodyTooLarge, unknownPath } from "./messages/failures.ts"
import type { ApiRequest, ApiResponse } from "./messages/Message.ts"
import { withRequestId } from "./messages/requestId.ts"
import { defaultBodyLimit, type HttpOptions, normalizePrefix, stripPrefix } from "./Options.ts"

/** A request listener, which `http.createServer` and `app.use` of Express accept. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** Runs the effect of a request in the runtime of the workspace. */
export type RunFork = <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A, unknown>

const emptyBody = new Uint8Array()

/** How long the rest of a body that is too large is received and discarded before the connection closes, in milliseconds. */
const drainTimeoutMillis = 2_000

/** Serializes the body that a parser of the host has consumed: the stream cannot be read a second time. */
const serializeParsedBody = (parsed: unknown): Uint8Array => {
  if (parsed === undefined) return emptyBody
  if (parsed instanceof Uint8Array) return parsed
  return Buffer.from(typeof parsed === "string" ? parsed : JSON.stringify(parsed))
}

/** Reads a body. Holds at most `limit` bytes in memory. */
const readBody = (
  request: IncomingMessage & { readonly body?: unknown },
  limit: number
): Effect.Effect<Uint8Array, BodyTooLarge> =>
  Effect.callback((resume) => {
    if (request.readableEnded) return resume(Effect.succeed(serializeParsedBody(request.body)))
    if (Number(request.headers["content-length"]) > limit) {
      return resume(Effect.fail(new BodyTooLarge({ limit })))
    }
    const chunks: Array<Uint8Array> = []
    let size = 0
    const removeListeners = () => {
      request.removeListener("data", onData)
      request.removeListener("end", onEnd)
    }
    const onData = (chunk: Uint8Array) => {
      size += chunk.length
      if (size > limit) {
        removeListeners()
        request.pause()
        return resume(Effect.fail(new BodyTooLarge({ limit })))
      }
      chunks.push(chunk)
    }
    const onEnd = () => {
      removeListeners()
      resume(
        Effect.succeed(
          chunks.length === 1 ? chunks[0]! : chunks.length === 0 ? emptyBody : Buffer.concat(chunks)
        )
      )
    }
    // A client that disconnects is handled in `listen`, which interrupts the whole request.
    request.on("data", onData)
    request.on("end", onEnd)
    return Effect.sync(removeListeners)
  })

/**
 * Responds to a body that is too large, and closes the connection when the body ends or after a timeout. Closing it while
 * the client still sends would reset the connection, and the client would lose the response.
 */
const rejectAndClose = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: ApiResponse
) => {
  const end = () => {
    clearTimeout(timeout)
    outgoing.end()
  }
  const timeout = setTimeout(end, drainTimeoutMillis)
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
  outgoing: ServerResponse,
  response: ApiResponse
): void => {
  if (outgoing.destroyed || outgoing.headersSent) return
  const { status, headers, body } = response
  if (status === 413 && !incoming.readableEnded) {
    rejectAndClose(incoming, outgoing, response)
    return
  }
  if (body === undefined) {
    // RFC 9110 forbids `Content-Length` with 204, and 304 has that of the full response.
    if (status !== 204 && status !== 304) headers["content-length"] ??= "0"
    outgoing.writeHead(status, headers)
    outgoing.end()
    return
  }
  headers["content-length"] = String(typeof body === "string" ? Buffer.byteLength(body) : body.length)
  outgoing.writeHead(status, headers)
  outgoing.end(body)
}

/**
 * Creates a listener over a dispatcher. A client that disconnects interrupts its request; `detachedFibers` has the fibers of
 * such requests until they end.
 */
export const listen = (
  dispatch: Dispatcher,
  run: RunFork,
  options: HttpOptions,
  detachedFibers?: Set<Fiber.Fiber<unknown, unknown>>
): NodeListener => {
  const { bodyLimit = defaultBodyLimit } = options
  const prefix = normalizePrefix(options)
  return (incoming, outgoing) => {
    if (outgoing.destroyed) return
    const header = (name: string) => {
      // A body that a parser of the host has read is no longer compressed.
      if (name === "content-encoding" && incoming.readableEnded) return undefined
      const value = incoming.headers[name]
      return typeof value === "string" ? value : value?.[0]
    }
    const url = stripPrefix(incoming.url ?? "/", prefix)
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
    let isFinished = false
    fiber.addObserver((exit) => {
      isFinished = true
      if (Exit.isSuccess(exit)) sendResponse(incoming, outgoing, exit.value)
      else if (!outgoing.destroyed) outgoing.destroy()
    })
    if (!isFinished) {
      outgoing.once("close", () => {
        if (isFinished) return
        fiber.interruptUnsafe()
        detachedFibers?.add(fiber)
        fiber.addObserver(() => detachedFibers?.delete(fiber))
      })
    }
  }
}
