/** The server of the metrics port: `/metrics` on a port that is not public. */
import { createServer } from "node:http"
import { Effect, type Redacted } from "effect"
import { unauthenticatedMetrics, unknownPath } from "./messages/failures.ts"
import type { ApiResponse } from "./messages/Message.ts"
import { makeMetricsResponse, makeTokenCheck, metricsPath } from "./routes/metrics.ts"
import { listenOn } from "./serve.ts"

/** Options of {@link serveMetrics}. */
export interface MetricsServerOptions {
  /** The address to listen on. */
  readonly host: string
  /** The port to listen on. */
  readonly port: number
  /** The token that `/metrics` requires. Without it, every client can read the metrics. */
  readonly token: Redacted.Redacted<string> | undefined
}

/** Serves the metrics until the scope closes. Fails with `CannotListen`. */
export const serveMetrics = Effect.fnUntraced(function* ({ host, port, token }: MetricsServerOptions) {
  const respond = yield* makeMetricsResponse
  const isAuthorized = token === undefined ? () => true : makeTokenCheck(token)
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const handle = (path: string, authorization: string | undefined): Effect.Effect<ApiResponse> => {
    if (path !== metricsPath) return Effect.sync(unknownPath)
    return isAuthorized(authorization) ? respond : Effect.sync(unauthenticatedMetrics)
  }
  const server = createServer((incoming, outgoing) => {
    const path = (incoming.url ?? "/").split("?", 1)[0]!
    run(handle(path, incoming.headers.authorization)).then(
      ({ status, headers, body }) => {
        outgoing.writeHead(status, headers).end(typeof body === "string" ? body : undefined)
      },
      () => outgoing.destroy()
    )
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
  )
  return yield* listenOn(server, host, port)
})
