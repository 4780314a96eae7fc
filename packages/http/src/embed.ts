/** Serves the API in a host application: as a listener of Node's servers, or as a web-standard handler. */
import type { Workspace } from "@lectern/core"
import type { ManagedRuntime } from "effect"
import { withoutDispatch } from "./server/completeResponses.ts"
import type { Dispatcher } from "./server/Dispatcher.ts"
import { notStarted } from "./server/messages/failures.ts"
import { listen, type NodeListener, sendResponse } from "./server/nodeListener.ts"
import { type HttpOptions, makeDispatcher } from "./server/Options.ts"
import { makeWebHandler, toWeb, type WebHandler } from "./server/webHandler.ts"

/**
 * The workspace that is served: the result of `createWorkspace`, or, in an Effect application, an object with a
 * `ManagedRuntime` over `Workspace.layer` and an `Authenticator`.
 *
 * @example
 * const workspace = { runtime: ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(storage))) }
 */
export interface Host<Services = never> {
  /** The runtime with the services of the workspace, and the services of the host's features. */
  readonly runtime: ManagedRuntime.ManagedRuntime<Workspace.Services | Services, unknown>
}

/** Runs `create` on the first call and caches its result. A failure is not cached: the next call retries. */
const memoizeSuccess = <A>(create: () => Promise<A>): (() => Promise<A>) => {
  let created: Promise<A> | undefined
  return () => {
    created ??= create().catch((error: unknown) => {
      created = undefined
      throw error
    })
    return created
  }
}

const loadDispatcher = <Services>(
  { runtime }: Host<Services>,
  options: HttpOptions<Workspace.Services | Services>
): (() => Promise<Dispatcher>) => memoizeSuccess(() => runtime.runPromise(makeDispatcher(options)))

/**
 * Creates a listener for Node's HTTP server, and for Express and other frameworks that are built on it.
 *
 * Express strips the path that the listener is mounted under; for other servers, pass it as `prefix`. A body that the host
 * has already parsed is accepted. The workspace is opened on the first request; while it cannot be opened, the response
 * is 503. A client that disconnects interrupts its request.
 *
 * @example
 * app.use("/docs-api", toNodeListener(workspace))
 */
export const toNodeListener = <Services = never>(
  workspace: Host<Services>,
  options: HttpOptions<NoInfer<Workspace.Services | Services>> = {}
): NodeListener => {
  const { runtime } = workspace
  const start = loadDispatcher(workspace, options)
  let listener: NodeListener | undefined
  return (request, response) => {
    if (listener !== undefined) return listener(request, response)
    start().then(
      (dispatch) => {
        listener ??= listen(dispatch, (effect) => runtime.runFork(effect), options)
        listener(request, response)
      },
      () => sendResponse(request, response, withoutDispatch(notStarted(), undefined))
    )
  }
}

/**
 * Creates a web-standard handler, a function from a `Request` to a `Promise<Response>`, for Hono, Next, Bun, Deno and others.
 *
 * The workspace is opened on the first request; while it cannot be opened, the response is 503. A request whose `signal`
 * aborts is interrupted.
 *
 * @example
 * app.mount("/docs-api", toWebHandler(workspace))
 */
export const toWebHandler = <Services = never>(
  workspace: Host<Services>,
  options: HttpOptions<NoInfer<Workspace.Services | Services>> = {}
): WebHandler => {
  const { runtime } = workspace
  const start = memoizeSuccess(async () =>
    makeWebHandler(
      await loadDispatcher(workspace, options)(),
      (effect, run) => runtime.runPromise(effect, run),
      options
    )
  )
  return async (request, connection) => {
    const handler = await start().catch(() => undefined)
    return handler === undefined
      ? toWeb(withoutDispatch(notStarted(), undefined))
      : handler(request, connection)
  }
}
