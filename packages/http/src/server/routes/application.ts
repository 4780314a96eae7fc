/** Serves the application in the browser, by `@lectern/studio`, which is optional. */
import { PublicUrl } from "@lectern/core"
import { Effect } from "effect"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { redirectToApplication } from "./applicationLinks.ts"

/** A response of the application. */
export interface ApplicationResponse {
  /** The HTTP status. */
  readonly status: number
  /** The headers, by name in lower case. */
  readonly headers: Record<string, string>
  /** The body, if there is one. */
  readonly body: string | Uint8Array | undefined
  /** Whether the response never changes, so that it is compressed once. */
  readonly isStatic: boolean
}

/** The application, mounted at a path. */
export interface Application {
  /** Returns the response, or `undefined` if the path is not one of the application. */
  readonly handle: (request: {
    readonly method: string
    readonly path: string
  }) => ApplicationResponse | undefined
}

/** Creates the application: `studio` of `@lectern/studio`. */
export type MakeApplication = (options: { readonly api: string; readonly basePath: string }) => Application

/** The path of the application, below the path of the API. */
const applicationPath = "/app"

/** Whether a path is one of the application. */
export const isApplicationPath = (path: string): boolean =>
  path === applicationPath || path.startsWith(`${applicationPath}/`)

const maximumMounts = 100

/**
 * Creates the route of the application, and of the URLs of resources that it displays. Its links begin with the path of the public URL: frameworks such as Express remove the
 * path that the API is mounted under from the URLs of requests.
 */
export const makeApplicationRoute = Effect.fnUntraced(function* (make: MakeApplication, prefix: string) {
  const publicUrl = yield* PublicUrl
  const byPath = new Map<string, Application>()

  const applicationAt = (api: string): Application => {
    const existing = byPath.get(api)
    if (existing !== undefined) return existing
    if (byPath.size >= maximumMounts) byPath.clear()
    const created = make({ api, basePath: api + applicationPath })
    byPath.set(api, created)
    return created
  }

  return (request: ApiRequest): Effect.Effect<ApiResponse | undefined> =>
    Effect.sync(() => {
      const path = new URL(request.baseUrl ?? publicUrl).pathname.replace(/\/+$/, "")
      const api = path === "" ? prefix : path
      if (!isApplicationPath(request.url.split("?", 1)[0]!)) {
        return redirectToApplication(request, publicUrl, api + applicationPath)
      }
      return applicationAt(api).handle({ method: request.method, path: api + request.url })
    })
})
