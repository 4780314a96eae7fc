/** Serves the API as a listener of Node's HTTP server, also within Express, Fastify and others. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { Cause, Effect, Exit, type Fiber } from "effect"
import { withoutDispatch } from "./completeResponses.ts"
import type { Dispatcher } from "./Dispatcher.ts"
import { hasSeveralHosts, severalHosts } from "./malformedRequests.ts"
import { unknownPath } from "./messages/failures.ts"
import { type ApiRequest, type ApiResponse, isStreamedBody, type StreamedBody } from "./messages/Message.ts"
import { requestIdOf } from "./messages/requestId.ts"
import { readNodeBody, streamNodeBody, writeNodeStream } from "./nodeBodies.ts"
import { defaultBodyLimit, type HttpOptions, normalizePrefix, stripPrefix } from "./Options.ts"
import { makeClientResolver } from "./proxies.ts"
import { makeBaseUrlResolver } from "./requestBaseUrl.ts"

/** A request listener, which `http.createServer` and `app.use` of Express accept. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** Runs the effect of a request in the runtime of the workspace. */
export type RunFork = <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A, unknown>

/** How long the rest of a body that is too large is received and discarded before the connection closes, in milliseconds. */
const drainTimeoutMillis = 2_000

/**
 * Responds before the whole body was received, and closes the connection when the body ends or after a timeout. Closing it
 * while the client still sends would reset the connection, and the client would lose the response.
 */
const respondAndClose = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers }: ApiResponse,
  body: string | Uint8Array
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
    "content-length": Buffer.byteLength(body)
  })
  outgoing.write(body)
}

/**
 * Sends the head of a response, and its body unless that is a stream. Returns the stream that remains to be written, or
 * `undefined`. Sends nothing if the client has disconnected.
 */
export const sendResponse = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: ApiResponse
): StreamedBody | undefined => {
  if (outgoing.destroyed || outgoing.headersSent) return undefined
  const { status, headers, body } = response
  if (isStreamedBody(body)) {
    if (body.length !== undefined) headers["content-length"] = String(body.length)
    outgoing.writeHead(status, headers)
    outgoing.flushHeaders()
    return body
  }
  if ((status === 413 || incoming.readableDidRead) && !incoming.readableEnded) {
    respondAndClose(incoming, outgoing, response, body ?? "")
    return undefined
  }
  if (body === undefined) {
    // RFC 9110 forbids `Content-Length` with 204; with 304 and HEAD, it would be that of the full response.
    if (status !== 204 && status !== 304 && incoming.method !== "HEAD") headers["content-length"] ??= "0"
    outgoing.writeHead(status, headers)
    outgoing.end()
    return undefined
  }
  headers["content-length"] = String(typeof body === "string" ? Buffer.byteLength(body) : body.length)
  outgoing.writeHead(status, headers)
  outgoing.end(body)
  return undefined
}

/** Writes a streamed body after its head. If it fails, the connection is destroyed, so that the client detects it. */
const sendStream = (outgoing: ServerResponse, body: StreamedBody): Effect.Effect<void> =>
  Effect.matchCauseEffect(writeNodeStream(outgoing, body), {
    onSuccess: () => Effect.sync(() => void outgoing.end()),
    onFailure: (cause) =>
      Effect.andThen(
        Effect.sync(() => void outgoing.destroy()),
        Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.logError("response body", cause)
      )
  })

/** Returns the path that Express has stripped from the URL of a request, or an empty string. */
const mountPathOf = (incoming: IncomingMessage & { readonly baseUrl?: unknown }): string =>
  typeof incoming.baseUrl === "string" ? incoming.baseUrl : ""

/**
 * Creates a listener over a dispatcher. A client that disconnects interrupts its request; `detachedFibers` has the fibers of
 * such requests until they end.
 */
export const listen = (
  dispatch: Dispatcher,
  run: RunFork,
  options: HttpOptions<unknown>,
  detachedFibers?: Set<Fiber.Fiber<unknown, unknown>>
): NodeListener => {
  const { bodyLimit = defaultBodyLimit } = options
  const prefix = normalizePrefix(options)
  const resolveClient = makeClientResolver(options.trustedProxies)
  const resolveBaseUrl = makeBaseUrlResolver(options.trustedProxies, options.publicHosts)
  const interruptOnClose = (outgoing: ServerResponse, fiber: Fiber.Fiber<unknown, unknown>) => {
    if (fiber.pollUnsafe() !== undefined) return
    outgoing.once("close", () => {
      if (fiber.pollUnsafe() !== undefined) return
      fiber.interruptUnsafe()
      detachedFibers?.add(fiber)
      fiber.addObserver(() => detachedFibers?.delete(fiber))
    })
  }
  return (incoming, outgoing) => {
    if (outgoing.destroyed) return
    const header = (name: string) => {
      // A body that a parser of the host has read is no longer compressed.
      if (name === "content-encoding" && incoming.readableEnded) return undefined
      const value = incoming.headers[name]
      return typeof value === "string" ? value : value?.[0]
    }
    const url = stripPrefix(incoming.url ?? "/", prefix)
    if (url === undefined || hasSeveralHosts(incoming.rawHeaders)) {
      const response = url === undefined ? unknownPath() : severalHosts()
      return sendResponse(incoming, outgoing, withoutDispatch(response, header("x-request-id")))
    }
    const request: ApiRequest = {
      id: requestIdOf(header("x-request-id")),
      method: incoming.method ?? "GET",
      url,
      header,
      body: readNodeBody(incoming, bodyLimit),
      streamBody: (limit) => streamNodeBody(incoming, limit),
      remoteAddress: resolveClient(incoming.socket.remoteAddress, header),
      baseUrl: resolveBaseUrl(incoming.socket.remoteAddress, header, `${mountPathOf(incoming)}${prefix}`)
    }
    const fiber = run(dispatch(request))
    fiber.addObserver((exit) => {
      if (Exit.isFailure(exit)) {
        if (!outgoing.destroyed) outgoing.destroy()
        return
      }
      const body = sendResponse(incoming, outgoing, exit.value)
      if (body !== undefined) interruptOnClose(outgoing, run(sendStream(outgoing, body)))
    })
    interruptOnClose(outgoing, fiber)
  }
}
