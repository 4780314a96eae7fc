/** The reader: a function from requests to pages of published sites and of previews. */
import {
  cacheShare,
  collectScopes,
  EdgeCaching,
  edgeHeaders,
  NotFound,
  PublicUrl,
  Records,
  RequestBaseUrl,
  SiteEvents,
  type StorageUnavailable
} from "@lectern/core"
import { Effect } from "effect"
import { loadAssets } from "./assets/files.ts"
import { type HelpTarget, makeRenderHelp } from "./help/renderHelp.ts"
import { makePieces } from "./highlight/Pieces.ts"
import { relativeUrl } from "./html/urls.ts"
import { isPerson, isVisit } from "./http/isVisit.ts"
import {
  type ReaderRequest,
  type ReaderResponse,
  redirect,
  rendered,
  renderedHtml,
  respond
} from "./http/messages.ts"
import { makePublicResponses, maximumCachedBytes } from "./http/publicResponses.ts"
import { renderPlainNotFound } from "./page/renderPlain.ts"
import { isListing, makeServeListing } from "./preview/listings.ts"
import { makeServePreview } from "./preview/openPreview.ts"
import { makeSessions, pathOf } from "./preview/session.ts"
import { makeVisits, visitsPath } from "./preview/visits.ts"
import { feedbackPath, ratedPage } from "./site/feedback.ts"
import { hasCredentials, makeOpenPublished } from "./site/openPublished.ts"
import { askPath } from "./site/reservedPath.ts"
import { makeSitePages, maximumCachedCharacters } from "./site/SitePages.ts"
import { makeServeSite } from "./site/serveSite.ts"
import { makeContentLoader } from "./source/ContentLoader.ts"

/** The path of published sites below the URL of the workspace. */
export const sitesPath = "/sites/"

/** The path of previews of spaces below the URL of the workspace, without its leading slash. */
const previewsPath = "s/"

/** Serves requests for pages. */
export interface Reader {
  /** Returns the response, or `undefined` if no page can have the URL. */
  readonly handle: (request: ReaderRequest) => Effect.Effect<ReaderResponse | undefined, StorageUnavailable>
  /** Renders a page of the documentation of Lectern, or returns an asset of its pages; `undefined` for an unknown one. */
  readonly help: (
    request: Pick<ReaderRequest, "header">,
    target: HelpTarget
  ) => Effect.Effect<ReaderResponse | undefined, StorageUnavailable>
}

/**
 * Creates the reader of a workspace.
 *
 * @example
 * toNodeListener(workspace, { reader: makeReader })
 */
export const makeReader = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const assets = loadAssets()
  const pieces = makePieces()
  const loader = yield* makeContentLoader
  const pages = makeSitePages(loader, pieces, assets, yield* cacheShare(maximumCachedCharacters))
  const { serve } = yield* makeServeSite(loader, pages, assets)
  const openPublished = yield* makeOpenPublished(loader)
  const sessions = yield* makeSessions
  const visit = yield* makeVisits(loader, sessions)
  const servePreview = yield* makeServePreview(loader, pages, serve)
  const publicResponses = makePublicResponses(yield* Records, yield* cacheShare(maximumCachedBytes))
  const serveListing = yield* makeServeListing(loader, assets)
  const { recordMissed, recordRating, recordView } = yield* SiteEvents
  const workspaceHost = URL.parse(publicUrl)?.host
  const edge = yield* EdgeCaching

  const openAndServe = (request: ReaderRequest, host: string | undefined) =>
    Effect.gen(function* () {
      const opened = yield* openPublished(request, host)
      if ("response" in opened) return opened.response
      return yield* serve(opened.siteRequest)
    })

  /** Serves a response from the cache, unless the request has credentials, which can expire. */
  const openCached = (request: ReaderRequest, host: string | undefined) =>
    // An answer is generated for its request.
    hasCredentials(request) || pathOf(request).endsWith(askPath)
      ? openAndServe(request, host)
      : Effect.flatMap(RequestBaseUrl, (base) =>
          publicResponses(JSON.stringify([base, host, request.url]), request, (given) =>
            openAndServe(given, host)
          )
        )

  /** Lets shared caches store a response that all visitors share, with the keys of everything that it depends on. */
  const openShared = (request: ReaderRequest, host: string | undefined) => {
    if (edge === undefined || hasCredentials(request)) return openCached(request, host)
    const scopes = new Set<string>()
    return Effect.map(collectScopes(scopes, openCached(request, host)), (response) =>
      response.isShared === true
        ? { ...response, headers: { ...response.headers, ...edgeHeaders(edge, scopes, "max-age=0") } }
        : response
    )
  }

  /** Serves a published site, and counts the visit. */
  const servePublished = (request: ReaderRequest, host: string | undefined) =>
    Effect.tap(openShared(request, host), ({ view, missed }) => {
      if (!isVisit(request)) return Effect.void
      if (missed !== undefined) return recordMissed(missed)
      return view === undefined ? Effect.void : recordView(view)
    })

  /** Counts the rating of a page, and returns to the page. A form of another website is rejected. */
  const serveRating = Effect.fnUntraced(function* (request: ReaderRequest, host: string | undefined) {
    const form = yield* request.form
    const rating = form.get("rating")
    const isOfSite = [undefined, "same-origin", "none"].includes(request.header("sec-fetch-site"))
    if (!isOfSite || (rating !== "good" && rating !== "bad")) return yield* NotFound.of("page")
    const opened = yield* openPublished({ ...request, method: "GET" }, host)
    if ("response" in opened) return opened.response
    const rated = ratedPage(opened.siteRequest, form.get("page") ?? "")
    if (rated === undefined) return yield* NotFound.of("page")
    if (isPerson(request)) yield* recordRating({ ...rated.view, isGood: rating === "good" })
    return redirect(rated.location, 303)
  })

  const notFound = (request: ReaderRequest) => {
    const assetPath = relativeUrl(pathOf(request), "s/~/assets/")
    return Effect.succeed(respond(request, renderedHtml(renderPlainNotFound(assets, assetPath), 404), "none"))
  }

  /** Serves previews and listings, which require a session. Their assets are the same for all readers, and require none. */
  const servePrivate = Effect.fnUntraced(function* (request: ReaderRequest) {
    const asset = /\/~\/assets\/([^/]+)$/.exec(pathOf(request))?.[1]
    const file = asset === undefined ? undefined : (assets.file(asset) ?? pages.themeNamed(asset))
    if (file !== undefined) return respond(request, rendered(file.contentType, file.body), "immutable")
    const identity = yield* sessions.reader(request)
    if (identity === undefined) return sessions.requireLogin(request)
    return yield* pathOf(request).startsWith(previewsPath)
      ? servePreview(request, identity)
      : serveListing(request, identity)
  })

  const methodNotAllowed = (allowed: string): ReaderResponse => ({
    status: 405,
    headers: { allow: allowed, "cache-control": "no-store" },
    body: undefined
  })

  const reader: Reader = {
    help: makeRenderHelp(loader.parse, pieces, assets),
    handle: (request) => {
      const path = pathOf(request)
      const isBelowWorkspace = `/${path}`.startsWith(sitesPath)
      const isMemberVisit = path.startsWith(visitsPath)
      const isPrivate = path.startsWith(previewsPath) || isListing(path) || isMemberVisit
      const host = request.header("host")
      const canBeOfSite = isBelowWorkspace || (host !== undefined && host !== workspaceHost)
      const isOfReader = isBelowWorkspace || isPrivate
      if (!isOfReader && !canBeOfSite) return Effect.succeed(undefined)
      if (request.method === "POST" && canBeOfSite && path.endsWith(feedbackPath)) {
        return Effect.catchTag(serveRating(request, isBelowWorkspace ? undefined : host), "NotFound", () =>
          isOfReader ? notFound(request) : Effect.succeed(undefined)
        )
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        return Effect.succeed(isOfReader ? methodNotAllowed("GET, HEAD") : undefined)
      }
      const published = canBeOfSite
        ? servePublished(request, isBelowWorkspace ? undefined : host)
        : Effect.fail(NotFound.of("page"))
      // A site with a host name of its own may have pages at the paths of previews.
      return published.pipe(
        Effect.catchTag("NotFound", (error) =>
          isMemberVisit ? visit(request) : isPrivate ? servePrivate(request) : Effect.fail(error)
        ),
        Effect.catchTag("NotFound", () => (isOfReader ? notFound(request) : Effect.succeed(undefined)))
      )
    }
  }
  return reader
})
