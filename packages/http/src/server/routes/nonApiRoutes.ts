/** Matches requests to the routes outside of the `/v1` API: health checks, documentation, downloads, SAML, MCP and pages. */
import type { Answers } from "@lectern/answers"
import type { FeatureApi } from "@lectern/client"
import {
  assetsPath,
  downloadsPath,
  exportsPath,
  gitWebhooksPath,
  oidcPath,
  pdfsPath,
  scimPath,
  specsPath,
  ssoPath,
  unsubscribePath,
  uploadsPath
} from "@lectern/core"
import { fontsPath } from "@lectern/model/sites"
import { Effect } from "effect"
import { makeAnswerRoutes } from "../../answers/answerRoutes.ts"
import { makeTranslationRoutes } from "../../answers/translationRoutes.ts"
import { makeLoadClient } from "../../oidc/loadClient.ts"
import { makeOidcRoutes } from "../../oidc/routes.ts"
import type { ProgramAuthorization } from "../../programs/ProgramPort.ts"
import { isProgramPath } from "../../programs/paths.ts"
import { makeSamlRoutes } from "../../saml/loginRoutes.ts"
import { makeScimRoutes } from "../../scim/routes.ts"
import { isSignInPath, makeSignInRoutes } from "../../signIn/routes.ts"
import { makeUnsubscribePage } from "../../signIn/unsubscribePage.ts"
import { version } from "../messages/apiVersion.ts"
import { unknownMethod } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { isApplicationPath } from "./application.ts"
import { applicationPathOf } from "./applicationLinks.ts"
import { isAuditExport, makeAuditExports } from "./auditExports.ts"
import { docsPath, makeDocsRoutes } from "./docs.ts"
import { isEventStream, makeEventStreams } from "./eventStreams.ts"
import { makeExportDownloads } from "./exportDownloads.ts"
import { makeFileDownloads } from "./fileDownloads.ts"
import { makeFileUploads } from "./fileUploads.ts"
import { makeFontFiles } from "./fontFiles.ts"
import { makeGitWebhooks } from "./gitWebhooks.ts"
import { makeHealthRoutes } from "./health.ts"
import { helpPath, makeHelpRoute } from "./help.ts"
import { makeIntegrationImages } from "./integrationImages.ts"
import { makeLandingRoute } from "./landing.ts"
import { type MetricsAccess, makeMetricsRoutes } from "./metrics.ts"
import { type MakePageReader, makePageRoute } from "./pages.ts"
import { makePdfDownloads } from "./pdfDownloads.ts"
import type { Route } from "./Route.ts"
import { makeSiteMcp } from "./siteMcp.ts"
import { makeSpecDocuments } from "./specDocuments.ts"
import { makeWorkspaceMcp } from "./workspaceMcp.ts"

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
  reader: MakePageReader | undefined,
  application: NonApiRoutes | undefined,
  metrics: MetricsAccess | undefined,
  uploadLimit: number,
  features: ReadonlyArray<FeatureApi>,
  programs: ProgramAuthorization | undefined,
  answers: Answers | undefined
) {
  const pageReader = reader === undefined ? undefined : yield* reader
  const pageRoute = makePageRoute(pageReader, answers)
  // At hosts of the operator, these paths belong to the server. At others, a site can have an address such as example.com/docs.
  const pageRouteOverServer = makePageRoute(pageReader, answers, ({ baseUrl }) => baseUrl !== undefined)
  // The server has names that no setting lists, and serves the application and the API at all of them.
  const pageRouteOverApplication = makePageRoute(pageReader, answers, () => true)
  const help = makeHelpRoute(pageReader)
  const landing = yield* makeLandingRoute(reader !== undefined, application !== undefined)
  const samlRoutes = yield* makeSamlRoutes
  const scimRoutes = yield* makeScimRoutes
  const loadOidcClient = yield* makeLoadClient
  const signInRoutes = yield* makeSignInRoutes(
    { application: application !== undefined, reader: reader !== undefined },
    loadOidcClient
  )
  const oidcRoutes = yield* makeOidcRoutes(loadOidcClient)
  const unsubscribePage = yield* makeUnsubscribePage
  const siteMcp = yield* makeSiteMcp(programs)
  const workspaceMcp = yield* makeWorkspaceMcp(programs)
  const answerRoutes = yield* makeAnswerRoutes(answers)
  const translationRoutes = yield* makeTranslationRoutes(answers)
  const gitWebhooks = yield* makeGitWebhooks
  const fileUploads = yield* makeFileUploads(uploadLimit)
  const eventStreams = yield* makeEventStreams(isDraining)
  const auditExports = yield* makeAuditExports
  const byPath: Readonly<Record<string, Route>> = {
    ...(yield* makeDocsRoutes(hasPublicHosts, features)),
    ...(yield* makeHealthRoutes(isDraining)),
    ...(metrics === undefined ? {} : yield* makeMetricsRoutes(metrics))
  }
  const byPrefix: ReadonlyArray<readonly [prefix: string, route: Route]> = [
    [downloadsPath, yield* makeFileDownloads],
    [assetsPath, yield* makeIntegrationImages],
    [specsPath, yield* makeSpecDocuments],
    [pdfsPath, yield* makePdfDownloads],
    [exportsPath, yield* makeExportDownloads],
    [fontsPath, yield* makeFontFiles]
  ]

  /** Adds the pattern of a route to its response, for the log and the metrics. */
  const labeled = (pattern: string, response: Effect.Effect<ApiResponse>): Effect.Effect<ApiResponse> =>
    Effect.map(response, ({ outcome, ...rest }) => ({
      ...rest,
      outcome: { ...outcome, route: outcome?.route ?? pattern }
    }))

  /** Returns the route of a path, and its pattern for the log and the metrics. */
  const findRoute = (path: string): readonly [pattern: string, route: Route | undefined] => {
    if (Object.hasOwn(byPath, path)) return [path, byPath[path]]
    const found = byPrefix.find(([prefix]) => path.startsWith(prefix))
    if (found !== undefined) return [`${found[0]}*`, found[1]]
    if (path === helpPath || path.startsWith(`${helpPath}/`)) return [`${helpPath}/*`, help]
    if (isAuditExport(path)) return ["audit exports", auditExports]
    return isEventStream(path) ? ["event streams", eventStreams] : ["none", undefined]
  }

  return (request: ApiRequest): Effect.Effect<ApiResponse | undefined> => {
    const [path] = request.url.split("?", 1)
    if (path!.startsWith(ssoPath)) return samlRoutes(request)
    if (path!.startsWith(oidcPath)) return labeled(`${oidcPath}*`, oidcRoutes(request))
    if (path === scimPath || path!.startsWith(`${scimPath}/`))
      return labeled(`${scimPath}/*`, scimRoutes(request))
    if (programs !== undefined && isProgramPath(path!)) {
      return labeled("programs", programs.route(request))
    }
    if (isSignInPath(path!)) return labeled("sign-in", signInRoutes(request))
    if (path!.startsWith(unsubscribePath)) return labeled(`${unsubscribePath}*`, unsubscribePage(request))
    if (path!.startsWith(gitWebhooksPath)) return gitWebhooks(request)
    if (path!.startsWith(uploadsPath)) return labeled(`${uploadsPath}*`, fileUploads(request))
    const answer = answerRoutes(request)
    if (answer !== undefined) return labeled("answers", answer)
    const translation = translationRoutes(request)
    if (translation !== undefined) return labeled("translation runs", translation)
    const agent = workspaceMcp(request) ?? siteMcp(request)
    if (agent !== undefined) return agent
    if (application !== undefined && isApplicationPath(path!)) {
      // A site that a proxy serves at the root of a host has its own pages here.
      return Effect.flatMap(pageRouteOverApplication(request), (page) =>
        page === undefined ? application(request) : Effect.succeed(page)
      )
    }
    if (application !== undefined && applicationPathOf(path!) !== undefined) {
      return Effect.flatMap(application(request), (redirect) =>
        redirect === undefined ? pageRoute(request) : Effect.succeed(redirect)
      )
    }
    const [pattern, route] = findRoute(path!)
    if (route !== undefined && path !== docsPath && route !== help)
      return labeled(pattern, onlyReads(route)(request))
    if (route === undefined && path !== "/") {
      const isOfApi = path === version || path!.startsWith(`${version}/`)
      return (isOfApi ? pageRouteOverApplication : pageRoute)(request)
    }
    // A site that a proxy serves at the root of a host has its own pages at these paths.
    return Effect.flatMap(pageRouteOverServer(request), (page) =>
      page === undefined
        ? labeled(route === undefined ? path! : pattern, onlyReads(route ?? landing)(request))
        : Effect.succeed(page)
    )
  }
})
