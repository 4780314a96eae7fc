/** A Node server for the API, with a graceful shutdown when its scope closes. */
import { createServer } from "node:http"
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from "node:net"
import { Effect, Fiber, Schema, type Scope } from "effect"
import { defaultUploadTimeoutMs } from "./limits/supervise.ts"
import { rejectMalformed } from "./malformedRequests.ts"
import { listen } from "./nodeListener.ts"
import { type HttpOptions, makeDispatcher } from "./Options.ts"

/** Options of {@link serve}. */
export interface ServeOptions<Services = never> extends HttpOptions<Services> {
  /** The address to listen on; `127.0.0.1` by default, `0.0.0.0` for all interfaces. */
  readonly host?: string
  /** The port to listen on. 0, the default, is a free port that the system chooses. */
  readonly port?: number
  /** The result of {@link reservePort}, which determines the host and the port. */
  readonly reserved?: ReservedPort
  /**
   * The time between closing the scope and closing the listener, in milliseconds; 0 by default. In that time
   * `/readyz` responds with 503, so that a load balancer sends no more requests, and all requests are served.
   */
  readonly drainDelayMs?: number
}

/** The server cannot listen on its address and port. The message names both, and the reason. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  message: Schema.String
}) {}

/** The maximum time until the headers of a request have arrived, in milliseconds. */
const headersTimeoutMillis = 30_000

/** The time that pending requests have to complete when the server stops, in milliseconds. */
const shutdownTimeoutMillis = 10_000

const listenErrors: Record<string, string> = {
  EADDRINUSE: "another program uses this port",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "this machine does not have this address",
  ENOTFOUND: "the host name cannot be resolved"
}

/** A free port that this process has, before it serves requests on it. */
export interface ReservedPort {
  /** The number of the port. */
  readonly port: number
  /** Has the socket. It closes connections. */
  readonly server: TcpServer
}

/**
 * Listens on an address and a port, and returns the address. With `reserved`, it uses that socket. Fails with `CannotListen`.
 */
export const listenOn = (
  server: TcpServer,
  host: string,
  port: number,
  reserved?: ReservedPort
): Effect.Effect<AddressInfo, CannotListen> =>
  Effect.callback((resume) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      const reason = listenErrors[cause.code ?? ""] ?? cause.code ?? "unknown error"
      resume(Effect.fail(new CannotListen({ message: `Cannot listen on ${host}:${port}: ${reason}.` })))
    }
    server.once("error", fail)
    const onListening = () => {
      server.removeListener("error", fail)
      resume(Effect.succeed(server.address() as AddressInfo))
    }
    if (reserved === undefined) server.listen(port, host, onListening)
    else server.listen(reserved.server, onListening)
  })

/**
 * Reserves a free port until the scope closes, so that the URL of a server is known before its workspace is opened. Pass the
 * result to {@link serve}. Fails with `CannotListen`.
 */
export const reservePort = (host: string): Effect.Effect<ReservedPort, CannotListen, Scope.Scope> =>
  Effect.gen(function* () {
    const server = createTcpServer((socket) => socket.destroy())
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    const { port } = yield* listenOn(server, host, 0)
    return { port, server }
  })

/**
 * Serves a workspace until the scope closes, and returns the address that the server listens on. Fails with `CannotListen`.
 *
 * When the scope closes, `/readyz` responds with 503, and after `drainDelayMs` the server accepts no more connections, completes pending requests within 10 seconds and closes
 * the remaining connections. Transactions that are still running complete before the scope is closed, so that the store,
 * whose layer is outside of this scope, is closed after the last write.
 *
 * @example
 * const { port } = yield* serve({ port: 4400, logRequests: true })
 */
export const serve = Effect.fnUntraced(function* <Services = never>(options: ServeOptions<Services> = {}) {
  const { host = "127.0.0.1", port = 0, drainDelayMs = 0, isDraining = () => false } = options
  let isStopping = false
  const dispatch = yield* makeDispatcher({ ...options, isDraining: () => isStopping || isDraining() })
  const context = yield* Effect.context<never>()
  const run = Effect.runForkWith(context)
  const detachedFibers = new Set<Fiber.Fiber<unknown, unknown>>()
  const server = createServer(
    {
      headersTimeout: headersTimeoutMillis,
      // Bodies have timeouts of their own. Uploads take longer than the default of Node, 5 minutes.
      requestTimeout: (options.limits?.uploadTimeoutMs ?? defaultUploadTimeoutMs) + headersTimeoutMillis
    },
    listen(dispatch, (effect) => run(effect), options, detachedFibers)
  )
  server.on("clientError", rejectMalformed)

  // Finalizers run in reverse order. This one is last: a request whose client disconnected can still be writing.
  yield* Effect.addFinalizer(() => Fiber.awaitAll([...detachedFibers]))
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      const timeout = setTimeout(() => server.closeAllConnections(), shutdownTimeoutMillis)
      // Keep-alive connections become idle at different times, and each delays `close` until it is closed.
      const closeIdle = setInterval(() => server.closeIdleConnections(), 20)
      server.close(() => {
        clearTimeout(timeout)
        clearInterval(closeIdle)
        resume(Effect.void)
      })
    })
  )
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      isStopping = true
      return drainDelayMs === 0 ? Effect.void : Effect.sleep(drainDelayMs)
    })
  )
  return yield* listenOn(server, host, port, options.reserved)
})
