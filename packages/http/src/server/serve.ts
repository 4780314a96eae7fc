/** The server: listens until its scope closes, then stops without breaking off what is under way. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Fiber, Schema } from "effect"
import { listen } from "./nodeListener.ts"
import { type HttpOptions, makeDispatcher } from "./Options.ts"

/** Where a server listens. */
export interface ServeOptions extends HttpOptions {
  /** The address; `127.0.0.1` by default. */
  readonly host?: string
  /** The port; 0, the default, is any that is free. */
  readonly port?: number
}

/** The server cannot listen where it was told to. */
export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  message: Schema.String
}) {}

/** How long requests that are under way have to finish when the server stops, in milliseconds. */
const graceMillis = 10_000

const reasons: Record<string, string> = {
  EADDRINUSE: "something else listens there already",
  EACCES: "that needs other rights",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such host"
}

/**
 * Serves a workspace until the scope closes. Then it takes no more requests, finishes those that are under way (for
 * ten seconds at most), and only then lets go of the store, whose layer is outside of this scope.
 */
export const serve = Effect.fnUntraced(function* (options: ServeOptions = {}) {
  const { host = "127.0.0.1", port = 0 } = options
  const dispatch = yield* makeDispatcher(options)
  const context = yield* Effect.context<never>()
  const run = Effect.runForkWith(context)
  const detachedFibers = new Set<Fiber.Fiber<unknown, unknown>>()
  const server = createServer(listen(dispatch, (effect) => run(effect), options, detachedFibers))

  // Runs last: what a client that has gone left may still be writing, and the store is not closed under it.
  yield* Effect.addFinalizer(() => Fiber.awaitAll([...detachedFibers]))
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      const late = setTimeout(() => server.closeAllConnections(), graceMillis)
      // A connection whose last request is answered would wait for another that must not come.
      const idle = setInterval(() => server.closeIdleConnections(), 20)
      server.close(() => {
        clearTimeout(late)
        clearInterval(idle)
        resume(Effect.void)
      })
    })
  )
  return yield* Effect.callback<AddressInfo, CannotListen>((resume) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      const reason = reasons[cause.code ?? ""] ?? cause.code ?? "it failed"
      resume(Effect.fail(new CannotListen({ message: `Cannot listen on ${host}:${port}: ${reason}.` })))
    }
    server.once("error", fail)
    server.listen(port, host, () => {
      server.removeListener("error", fail)
      resume(Effect.succeed(server.address() as AddressInfo))
    })
  })
})
