/** The reader: a function from requests to pages of published sites and of previews. */
import { PublicUrl, type StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { loadAssets } from "./assets/files.ts"
import { makePieces } from "./highlight/Pieces.ts"
import { type ReaderRequest, type ReaderResponse, renderedHtml, respond } from "./http/messages.ts"
import { renderPlainNotFound } from "./page/renderPlain.ts"
import { makeOpenPublished } from "./site/openPublished.ts"
import { makeSitePages } from "./site/SitePages.ts"
import { makeServeSite } from "./site/serveSite.ts"
import { makeContentLoader } from "./source/ContentLoader.ts"

/** The path of published sites below the URL of the workspace. */
export const sitesPath = "/sites/"

/** Serves requests for pages. */
export interface Reader {
  /** Returns the response, or `undefined` if no page can have the URL. */
  readonly handle: (request: ReaderRequest) => Effect.Effect<ReaderResponse | undefined, StorageUnavailable>
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
  const pages = makeSitePages(loader, pieces, assets)
  const { serve } = yield* makeServeSite(loader, pages, assets)
  const openPublished = yield* makeOpenPublished(loader)
  const workspaceHost = URL.parse(publicUrl)?.host

  const servePublished = (request: ReaderRequest, host: string | undefined) =>
    Effect.gen(function* () {
      const opened = yield* openPublished(request, host)
      if ("response" in opened) return opened.response
      return yield* serve(opened.siteRequest)
    })

  const notFound = (request: ReaderRequest) =>
    Effect.succeed(respond(request, renderedHtml(renderPlainNotFound(assets), 404), "none"))

  const reader: Reader = {
    handle: (request) => {
      const [path = ""] = request.url.split("?", 1)
      const isBelowWorkspace = path.startsWith(sitesPath)
      const host = request.header("host")
      if (!isBelowWorkspace && (host === undefined || host === workspaceHost))
        return Effect.succeed(undefined)
      return Effect.catchTag(servePublished(request, isBelowWorkspace ? undefined : host), "NotFound", () =>
        isBelowWorkspace ? notFound(request) : Effect.succeed(undefined)
      )
    }
  }
  return reader
})
