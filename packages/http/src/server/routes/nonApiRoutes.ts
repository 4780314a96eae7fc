/** Matches requests to the routes outside of the `/v1` API: health checks, documentation, downloads, SAML, MCP and pages. */
import { assetsPath, downloadsPath, exportsPath, pdfsPath, specsPath, ssoPath } from "@lectern/core"
import { Effect } from "effect"
import { makeSamlRoutes } from "../../saml/loginRoutes.ts"
import { unknownMethod } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { docsPath, makeDocsRoutes } from "./docs.ts"
import { isEventStream, makeEventStreams } from "./eventStreams.ts"
import { makeExportDownloads } from "./exportDownloads.ts"
import { makeFileDownloads } from "./fileDownloads.ts"
import { makeHealthRoutes } from "./health.ts"
import { makeIntegrationImages } from "./integrationImages.ts"
import { makeLandingRoute } from "./landing.ts"
import { type MakePageReader, makePageRoute } from "./pages.ts"
import { makePdfDownloads } from "./pdfDownloads.ts"
import type { Route } from "./Route.ts"
import { makeSiteMcp } from "./siteMcp.ts"
import { makeSpecDocuments } from "./specDocuments.ts"

/** Handles a request, or returns `undefined` if no route has its path. */
export type NonApiRoutes = (request: ApiRequest) => Effect.Effect<ApiResponse | undefined>

/** Limits a route to the methods that read. */
const onlyReads =
  (route: Route): Route =>
  (request) =>
    request.method === "GET" || request.method === "HEAD"
      ? route(request)
      : Effect.succeed(unknownMethod(request.method, ["GET", "HEAD"]))

/** Creates the routes of a workspace outside of the `/v1` API. */
export const makeNonApiRoutes = Effect.fnUntraced(function* (
  isDraining: () => boolean,
  hasPublicHosts: boolean,
  reader: MakePageReader | undefined
) {
  const pageRoute = yield* makePageRoute(reader)
  const landing = yield* makeLandingRoute(reader !== undefined)
  const samlRoutes = yield* makeSamlRoutes
  const siteMcp = yield* makeSiteMcp
  const eventStreams = yield* makeEventStreams(isDraining)
  const byPath = { ...(yield* makeDocsRoutes(hasPublicHosts)), ...(yield* makeHealthRoutes(isDraining)) }
  const byPrefix: ReadonlyArray<readonly [prefix: string, route: Route]> = [
    [downloadsPath, yield* makeFileDownloads],
    [assetsPath, yield* makeIntegrationImages],
    [specsPath, yield* makeSpecDocuments],
    [pdfsPath, yield* makePdfDownloads],
    [exportsPath, yield* makeExportDownloads]
  ]

  return (request: ApiRequest): Effect.Effect<ApiResponse | undefined> => {
    const [path] = request.url.split("?", 1)
    if (path!.startsWith(ssoPath)) return samlRoutes(request)
    const agent = siteMcp(request)
    if (agent !== undefined) return agent
    const route = Object.hasOwn(byPath, path!)
      ? byPath[path!]
      : (byPrefix.find(([prefix]) => path!.startsWith(prefix))?.[1] ??
        (isEventStream(path!) ? eventStreams : undefined))
    if (route !== undefined && path !== docsPath) return onlyReads(route)(request)
    if (route === undefined && path !== "/") return pageRoute(request)
    // A site that a proxy serves at the root of a host has its own pages at these two paths.
    return Effect.flatMap(pageRoute(request), (page) =>
      page === undefined ? onlyReads(route ?? landing)(request) : Effect.succeed(page)
    )
  }
})
