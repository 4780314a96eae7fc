/** The API in a host application: as a listener for Node's servers, or as a web-standard handler. */
import type { EmbeddedWorkspace } from "@lectern/core"
import type { Dispatcher } from "./server/Dispatcher.ts"
import { notStarted } from "./server/messages/failures.ts"
import { withRequestId } from "./server/messages/requestId.ts"
import { listen, type NodeListener, sendResponse } from "./server/nodeListener.ts"
import { type HttpOptions, makeDispatcher } from "./server/Options.ts"
import { makeWebHandler, toWeb, type WebHandler } from "./server/webHandler.ts"

/**
 * What the API is served from: a workspace of `createWorkspace`, or, in an Effect application, an object with a
 * `ManagedRuntime` over `Workspace.layer`, where another `Authenticator` may replace API tokens.
 */
export type Host = Pick<EmbeddedWorkspace, "runtime">

/** Runs `make` on the first call and caches its result. A failure is not cached: the next call retries. */
const memoizeSuccess = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}

const dispatcherOf = ({ runtime }: Host, options: HttpOptions): (() => Promise<Dispatcher>) =>
  memoizeSuccess(() => runtime.runPromise(makeDispatcher(options)))

/**
 * A listener for Node's HTTP server, or for what is built on it. Express strips the path that it is mounted
 * under by itself; for other servers, pass it as `prefix`. A body that the host has parsed already is accepted.
 *
 * @example
 * app.use("/docs-api", toNodeListener(workspace))
 */
export const toNodeListener = (workspace: Host, options: HttpOptions = {}): NodeListener => {
  const { runtime } = workspace
  const start = dispatcherOf(workspace, options)
  let listener: NodeListener | undefined
  return (request, response) => {
    if (listener !== undefined) return listener(request, response)
    start().then(
      (dispatch) => {
        listener ??= listen(dispatch, (effect) => runtime.runFork(effect), options)
        listener(request, response)
      },
      () => sendResponse(request, response, withRequestId(notStarted(), undefined))
    )
  }
}

/**
 * A web-standard handler, for Hono, Next, Bun, Deno and others.
 *
 * @example
 * app.mount("/docs-api", toWebHandler(workspace))
 */
export const toWebHandler = (workspace: Host, options: HttpOptions = {}): WebHandler => {
  const { runtime } = workspace
  const start = memoizeSuccess(async () =>
    makeWebHandler(
      await dispatcherOf(workspace, options)(),
      (effect, run) => runtime.runPromise(effect, run),
      options
    )
  )
  return async (request) => {
    const handler = await start().catch(() => undefined)
    return handler === undefined ? toWeb(withRequestId(notStarted(), undefined)) : handler(request)
  }
}
