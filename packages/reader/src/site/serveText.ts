/** Serves the files that are rendered from the pages of a site: lists of its pages for machines, and Markdown. */
import type { NotFound, StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { type ReaderResponse, rendered, respond } from "../http/messages.ts"
import { type ContentLoader, orUndefined } from "../source/ContentLoader.ts"
import { listedPages, llmsText, pageMarkdown, robotsText, sitemap } from "./machineFormats.ts"
import { cachingOf, type LoadedSpace, type ReadableSite, type SpaceOnSite } from "./ReadableSite.ts"
import { searchSettingsPath } from "./reservedPath.ts"
import type { SitePages } from "./SitePages.ts"
import { searchSettingsOf } from "./searchSettings.ts"
import type { SiteRequest } from "./serveSite.ts"

/** Serves a file that is rendered from spaces of the site: all of them, or that of the request. */
export type ServeText = (
  given: SiteRequest,
  sources: "all" | "own",
  work: Effect.Effect<
    { readonly type: string; readonly body: string } | undefined,
    NotFound | StorageUnavailable
  >
) => Effect.Effect<ReaderResponse | undefined, NotFound | StorageUnavailable>

/** The absence of a file, which is cached too: to find it out, a page is parsed. */
const noFile = rendered("", "", 404)

/** The maximum number of spaces whose pages `sitemap.xml` and `llms.txt` list. */
const maximumListedSpaces = 100

/** The maximum length of `llms-full.txt`, in characters. */
const maximumFullLength = 4_000_000

/** Identifies the viewer of the URLs of files in a page. */
export const viewerOf = ({
  id,
  visitor,
  token,
  signIn
}: ReadableSite["identity"]): ReadonlyArray<unknown> => [
  id,
  typeof visitor === "object" ? visitor.shareKey : undefined,
  token?.samlProvider ?? signIn?.provider
]

/** Creates the functions that serve files of a site. */
export const makeServeText = (loader: ContentLoader, pages: SitePages) => {
  const allSpaces = Effect.fnUntraced(function* (site: ReadableSite) {
    const loaded: Array<LoadedSpace> = []
    for (const id of [...site.spaces.keys()].slice(0, maximumListedSpaces)) {
      const space = yield* pages.loadSpace(site, id)
      if (space !== undefined) loaded.push(space)
      // Other requests run between the spaces, which have many pages together.
      yield* Effect.yieldNow
    }
    return loaded
  })

  /** Returns the versions of spaces, with everything of them that their lists of pages display. */
  const versionsOf = Effect.fnUntraced(function* (
    { identity }: ReadableSite,
    spaces: ReadonlyArray<SpaceOnSite>
  ) {
    const versions: Array<ReadonlyArray<unknown>> = []
    for (const { id, content, language, root, title } of spaces) {
      const version = yield* orUndefined(loader.version(identity, content))
      versions.push([id, language, root, title, version])
    }
    return JSON.stringify(versions)
  })

  /**
   * Serves a file that is rendered from spaces of the site: all of them, or that of the request. It is cached by their versions, as pages are.
   * `undefined` if there is no such file.
   */
  const serveText: ServeText = Effect.fnUntraced(function* (given, sources, work) {
    const { request, site, space, path } = given
    const spaces = sources === "all" ? [...site.spaces.values()].slice(0, maximumListedSpaces) : [space]
    const versions = yield* versionsOf(site, spaces)
    const key = JSON.stringify([
      "file",
      site.kind,
      site.publicUrl,
      site.title,
      site.isIndexed,
      site.customization.title,
      site.customization.internationalization.locale,
      site.customization.search,
      viewerOf(site.identity),
      versions,
      path
    ])
    const isCurrent = Effect.map(versionsOf(site, spaces), (after) => after === versions)
    const file = yield* pages.file(
      key,
      Effect.map(work, (text) =>
        text === undefined ? noFile : rendered(`${text.type}; charset=utf-8`, text.body)
      ),
      isCurrent
    )
    return file.status === noFile.status ? undefined : respond(request, file, cachingOf(site))
  })

  const fullText = Effect.fnUntraced(function* (site: ReadableSite) {
    const parts: Array<string> = []
    let left = maximumFullLength
    for (const space of yield* allSpaces(site)) {
      for (const page of listedPages(space)) {
        const markdown = yield* loader.markdown(site.identity, space.content, page)
        const text = yield* pageMarkdown(loader, site, space, page, markdown)
        left -= text.length
        if (left < 0) return parts.join("\n---\n\n")
        parts.push(text)
        // Other requests run between the pages, each of which is parsed for its links.
        yield* Effect.yieldNow
      }
    }
    return parts.join("\n---\n\n")
  })

  /** Serves a file at the root of the site; `undefined` if no file has the path. */
  const serveRootFile = (given: SiteRequest) => {
    const { request, site, path } = given
    const ofAll = (type: string, body: Effect.Effect<string, NotFound | StorageUnavailable>) =>
      serveText(
        given,
        "all",
        Effect.map(body, (body) => ({ type, body }))
      )
    switch (path) {
      case "robots.txt":
        return Effect.succeed(
          respond(request, rendered("text/plain; charset=utf-8", robotsText(site)), cachingOf(site))
        )
      case "sitemap.xml":
        return ofAll(
          "application/xml",
          Effect.flatMap(allSpaces(site), (spaces) => sitemap(site, spaces))
        )
      case "llms.txt":
        return ofAll(
          "text/plain",
          Effect.map(allSpaces(site), (spaces) => llmsText(site, spaces))
        )
      case "llms-full.txt":
        return ofAll("text/plain", fullText(site))
      case searchSettingsPath:
        return ofAll(
          "application/json",
          Effect.map(allSpaces(site), (spaces) => JSON.stringify(searchSettingsOf(site, spaces)))
        )
      default:
        return Effect.succeed(undefined)
    }
  }

  const serveMarkdown = Effect.fnUntraced(function* (given: SiteRequest) {
    const { site, space, pagePath } = given
    const page = space.index.byPath.get(pagePath.replace(/\.md$/, ""))?.page
    if (page?.type !== "document") return undefined
    const body = Effect.flatMap(loader.markdown(site.identity, space.content, page), (markdown) =>
      pageMarkdown(loader, site, space, page, markdown)
    )
    return yield* serveText(
      given,
      "own",
      Effect.map(body, (body) => ({ type: "text/markdown", body }))
    )
  })

  return { allSpaces, serveMarkdown, serveRootFile, serveText }
}
