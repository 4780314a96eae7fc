/** The API in a host application: as a listener for Node's servers, or as a web-standard handler. */
import type { EmbeddedWorkspace } from "@lectern/core"
import type { Dispatcher } from "./server/Dispatcher.ts"
import { listen, type NodeListener } from "./server/nodeListener.ts"
import { type HttpOptions, makeDispatcher } from "./server/Options.ts"
import { handle, type WebHandler } from "./server/webHandler.ts"

/**
 * A listener for Node's HTTP server, or for what is built on it. Express takes the path that it is mounted under off
 * by itself; others name it as `prefix`.
 *
 * @example
 * app.use("/docs-api", toNodeListener(workspace))
 */
export const toNodeListener = (workspace: EmbeddedWorkspace, options: HttpOptions = {}): NodeListener => {
  const { runtime } = workspace
  let listener: NodeListener | undefined
  let starting: Promise<Dispatcher> | undefined
  return (request, response) => {
    if (listener !== undefined) return listener(request, response)
    starting ??= runtime.runPromise(makeDispatcher(options))
    starting.then(
      (dispatch) => {
        listener ??= listen(dispatch, (effect) => runtime.runFork(effect), options)
        listener(request, response)
      },
      () => {
        // The store could not be opened: the next request tries again.
        starting = undefined
        response.writeHead(503, { "content-type": "application/json", "retry-after": "1" })
        response.end(
          `{"error":{"code":503,"message":"The workspace could not be started; try again later."}}`
        )
      }
    )
  }
}

/**
 * A web-standard handler, for Hono, Next, Bun, Deno and others.
 *
 * @example
 * app.mount("/docs-api", toWebHandler(workspace))
 */
export const toWebHandler = (workspace: EmbeddedWorkspace, options: HttpOptions = {}): WebHandler => {
  const { runtime } = workspace
  let handler: Promise<WebHandler> | undefined
  return async (request) => {
    handler ??= runtime
      .runPromise(makeDispatcher(options))
      .then((dispatch) => handle(dispatch, (effect, run) => runtime.runPromise(effect, run), options))
    return (await handler)(request)
  }
}
