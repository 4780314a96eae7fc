/** Serves the pages of a site below its root, for one reader: a published site or a preview. */
import {
  type MissedSubject,
  type PageView,
  PublishedSearch,
  Search,
  type SearchSpaceResult,
  SiteRedirects,
  type StorageUnavailable
} from "@lectern/core"
import { servablePath } from "@lectern/core/content"
import { Effect } from "effect"
import type { Assets } from "../assets/files.ts"
import { iconOfPage } from "../html/icons.ts"
import { decodePart, relativeUrl } from "../html/urls.ts"
import {
  type ReaderRequest,
  type ReaderResponse,
  redirect,
  rendered,
  renderedHtml,
  respond
} from "../http/messages.ts"
import { renderNotFound } from "../page/renderNotFound.ts"
import { renderSearchPage, type SearchGroup } from "../page/renderSearch.ts"
import { type ContentLoader, orUndefined } from "../source/ContentLoader.ts"
import type { DocumentPage, IndexedPage } from "../source/PageIndex.ts"
import { withScriptPolicy } from "./pageScripts.ts"
import { branchesPath } from "./pageTree.ts"
import {
  cachingOf,
  firstDocument,
  type LoadedSpace,
  pageUrl,
  pathOfPage,
  type ReadableSite
} from "./ReadableSite.ts"
import { askPath, reservedPath } from "./reservedPath.ts"
import type { SitePages } from "./SitePages.ts"
import { makeServeAnswer } from "./serveAnswer.ts"
import { makeServeBranch } from "./serveBranch.ts"
import { makeServeFeed } from "./serveFeed.ts"
import { makeServeFile } from "./serveFile.ts"
import { makeServeText, viewerOf } from "./serveText.ts"
import { pageOfImage } from "./socialImage.ts"
import { suggestPages } from "./suggestions.ts"

/** A request within a site. */
export interface SiteRequest {
  readonly request: ReaderRequest
  readonly site: ReadableSite
  /** The space that the path leads to. */
  readonly space: LoadedSpace
  /** The path below the root of the site, as in the request: encoded, with its final slash. */
  readonly path: string
  /** The decoded path of the page within its space. */
  readonly pagePath: string
  readonly query: URLSearchParams
}

/** The maximum number of pages above a result that are displayed. */
const maximumPathLength = 4

/** Returns the view of a page on a published site. Previews are not counted. */
const viewOf = (
  { kind, organization, identity: { visitor } }: ReadableSite,
  { id }: DocumentPage,
  path: string
): PageView | undefined =>
  kind !== "published" || visitor === undefined || visitor === "anonymous"
    ? undefined
    : { organization, site: visitor.site, page: id, path: path.split("/").map(decodePart).join("/") }

/** Returns the path or the search without a result, of a visitor of a published site. Members in previews are not counted. */
const missedOf = (
  { kind, organization, identity: { visitor } }: ReadableSite,
  type: MissedSubject["type"],
  subject: string
): Pick<ReaderResponse, "missed"> =>
  kind !== "published" || visitor === undefined || visitor === "anonymous"
    ? {}
    : { missed: { organization, site: visitor.site, type, subject } }

/** Creates the function that serves a request within a site. */
export const makeServeSite = Effect.fnUntraced(function* (
  loader: ContentLoader,
  pages: SitePages,
  assets: Assets
) {
  const search = yield* Search
  const publishedSearch = yield* PublishedSearch
  const redirects = yield* SiteRedirects
  const serveFile = yield* makeServeFile
  const serveBranch = makeServeBranch(pages)
  const serveAnswer = makeServeAnswer(pages)

  const { allSpaces, serveMarkdown, serveRootFile, serveText } = makeServeText(loader, pages)
  const serveFeed = makeServeFeed(loader, allSpaces, serveText)

  /** Returns the redirect of a path that no page has: a configured one, or one to the page that had the path before. */
  const formerPath = Effect.fnUntraced(function* ({ site, path, query }: SiteRequest) {
    const { visitor } = site.identity
    if (visitor === undefined || visitor === "anonymous" || site.publicUrl === undefined) return undefined
    const source = `/${path.replace(/\/+$/, "")}`
    const found = yield* orUndefined(
      loader.as(site.identity)(
        redirects.getBySource({ organization: site.organization, site: visitor.site, input: { source } })
      )
    )
    if (found === undefined) return undefined
    const status = found.redirect.permanent && site.isPublic ? 308 : 307
    // The query of the visitor is for the site, and other websites do not receive it.
    if (found.redirect.destination.kind === "external") return redirect(found.target, status)
    // The target is on the same site, so that a relative URL is correct at every path where the site is mounted.
    if (!found.target.startsWith(site.publicUrl)) return undefined
    const search = query.size === 0 ? "" : `?${query}`
    return redirect(`${relativeUrl(path, found.target.slice(site.publicUrl.length))}${search}`, status)
  })

  const notFound = Effect.fnUntraced(function* ({ request, site, space, path, pagePath }: SiteRequest) {
    const { frame } = yield* pages.frameAt(site, space, path, undefined)
    const body = renderNotFound(frame, suggestPages(space, pagePath, path))
    const isAsset = path.startsWith(reservedPath)
    return {
      ...respond(request, renderedHtml(body, 404), "none"),
      ...(isAsset ? {} : missedOf(site, "not_found", path.split("/").map(decodePart).join("/")))
    }
  })

  /** Searches the spaces that the reader can see: as a visitor of the site, or as a member in a preview. */
  const searchSpaces = Effect.fnUntraced(function* (
    { identity, organization, spaces }: ReadableSite,
    query: string
  ): Effect.fn.Return<
    { readonly items: ReadonlyArray<SearchSpaceResult>; readonly didYouMean?: string },
    StorageUnavailable
  > {
    const none = { items: [] }
    if (query.trim() === "") return none
    const input = { query, limit: 20 }
    const { visitor } = identity
    if (visitor !== undefined && visitor !== "anonymous") {
      const found = publishedSearch.searchSite({ organization, site: visitor.site, input })
      return (yield* orUndefined(loader.as(identity)(found))) ?? none
    }
    const found = yield* Effect.forEach([...spaces.values()], ({ id, title }) =>
      Effect.map(orUndefined(loader.as(identity)(search.searchSpace({ space: id, input }))), (results) => ({
        ...results,
        type: "space" as const,
        id,
        title,
        score: 0,
        pages: results?.items ?? []
      }))
    )
    const corrected = found.find(({ didYouMean }) => didYouMean !== undefined)?.didYouMean
    return { items: found, ...(corrected === undefined ? {} : { didYouMean: corrected }) }
  })

  const toGroup = (
    site: ReadableSite,
    space: LoadedSpace,
    result: SearchSpaceResult,
    from: string
  ): SearchGroup => ({
    title: site.spaces.get(result.id)?.title ?? result.title,
    hits: result.pages.flatMap((hit) => {
      const indexed = space.index.byId.get(hit.id)
      const page = indexed?.page
      if (indexed === undefined || page?.type !== "document" || indexed.isHidden || page.noIndex === true)
        return []
      const [own, ...others] = hit.sections.filter(({ path }) => !path.includes("#"))
      const sections = [...others, ...hit.sections.filter(({ path }) => path.includes("#"))]
      return [
        {
          title: { text: hit.title, highlights: hit.titleHighlights },
          href: pageUrl(from, space, page),
          icon: iconOfPage(page),
          path: indexed.above.slice(-maximumPathLength).map(({ title }) => title),
          text:
            own === undefined
              ? { text: page.description ?? "", highlights: [] }
              : { text: own.body, highlights: own.bodyHighlights },
          sections: sections.slice(0, 3).map((section) => ({
            title: { text: section.title, highlights: section.titleHighlights },
            href: pageUrl(from, space, page, section.path.split("#")[1] ?? ""),
            text: { text: section.body, highlights: section.bodyHighlights }
          }))
        }
      ]
    })
  })

  const serveSearch = Effect.fnUntraced(function* ({ request, site, space, path, query }: SiteRequest) {
    const text = (query.get("q") ?? "").slice(0, 512)
    const { items, didYouMean } = yield* searchSpaces(site, text)
    // The space of the page comes first: on a site with translations, its results are in the language of the page.
    const results = items.toSorted((a, b) => Number(b.id === space.id) - Number(a.id === space.id))
    const groups: Array<SearchGroup> = []
    for (const result of results) {
      const loaded = result.id === space.id ? space : yield* pages.loadSpace(site, result.id)
      if (loaded !== undefined) groups.push(toGroup(site, loaded, result, path))
    }
    const { frame } = yield* pages.frameAt(site, space, path, undefined)
    // While a visitor types, the script requests results for words that are not complete.
    const isTyping = query.get("part") === "results"
    const isEmpty = text.trim() !== "" && groups.every(({ hits }) => hits.length === 0)
    return {
      ...respond(
        request,
        renderedHtml(renderSearchPage(frame, { query: text, groups, didYouMean })),
        "private"
      ),
      ...(isEmpty && !isTyping ? missedOf(site, "no_results", text.toLowerCase().replace(/\s+/g, " ")) : {})
    }
  })

  /** Finds the page of a path; the first page for an empty one. */
  const findPage = ({ space, pagePath }: SiteRequest): IndexedPage | undefined =>
    pagePath === ""
      ? space.index.first && space.index.byId.get(space.index.first.id)
      : space.index.byPath.get(pagePath)

  /** The URL of a page that the reader has opened at another URL, with its query. */
  const redirectTo = (
    { path, query }: SiteRequest,
    space: LoadedSpace,
    page: DocumentPage
  ): ReaderResponse => {
    const search = query.size === 0 ? "" : `?${query}`
    return redirect(`${relativeUrl(path, pathOfPage(space, page))}${search}`)
  }

  const servePage = Effect.fnUntraced(function* (given: SiteRequest) {
    const { request, site, space, path } = given
    const indexed = findPage(given)
    if (indexed === undefined) {
      const feed = yield* serveFeed(given)
      if (feed !== undefined) return feed
      const markdown = given.pagePath.endsWith(".md") ? yield* serveMarkdown(given) : undefined
      // A page whose slug has a suffix, because this document is served at the URL of its source.
      const servable = space.index.byPath.get(servablePath(given.pagePath))?.page
      const suffixed = servable === undefined ? undefined : firstDocument(servable)
      if (markdown === undefined && suffixed !== undefined) return redirectTo(given, space, suffixed)
      return markdown ?? (yield* formerPath(given)) ?? (yield* notFound(given))
    }
    const page = firstDocument(indexed.page)
    if (page === undefined) return yield* notFound(given)
    if (page.id !== indexed.page.id || path !== pathOfPage(space, page)) return redirectTo(given, space, page)
    const key = JSON.stringify([
      site.kind,
      site.publicUrl,
      viewerOf(site.identity),
      space.content,
      space.version,
      // Its fonts change with the fonts of the organization.
      pages.themeOf(site).name,
      site.scripts?.version,
      path
    ])
    const cached = yield* pages.cached(key, {
      space: (id) => Effect.map(pages.loadSpace(site, id), (other) => other?.version),
      spec: (source) => loader.openApiVersion(site.identity, space.content, page, source)
    })
    const body = cached ?? (yield* pages.page(key, { site, space, indexed, page }))
    const view = viewOf(site, page, path)
    return { ...respond(request, body, cachingOf(site)), ...(view === undefined ? {} : { view }) }
  })

  const serveImage = Effect.fnUntraced(function* ({ request, site, space }: SiteRequest, id: string) {
    const page = space.index.byId.get(id)?.page
    const image = page?.type === "document" ? yield* pages.socialImage(site, page) : undefined
    return image === undefined ? undefined : respond(request, rendered("image/png", image), cachingOf(site))
  })

  const serveAsset = (
    request: ReaderRequest,
    site: ReadableSite,
    name: string
  ): ReaderResponse | undefined => {
    const file = assets.file(name) ?? pages.themeNamed(name)
    if (file !== undefined) return respond(request, rendered(file.contentType, file.body), "immutable")
    // Another process has generated the style sheet, or the theme has changed in the meantime.
    if (!/^theme\.[\w-]{12}\.css$/.test(name)) return undefined
    const current = pages.themeOf(site)
    return respond(
      request,
      rendered(current.contentType, current.body),
      current.name === name ? "immutable" : "none"
    )
  }

  const serveWithoutScripts = Effect.fnUntraced(function* (given: SiteRequest) {
    const { request, site, path } = given
    if (path.startsWith(`${reservedPath}assets/`)) {
      const name = path.slice(`${reservedPath}assets/`.length)
      return (
        serveAsset(request, site, name) ?? (yield* serveFile(request, site, name)) ?? (yield* notFound(given))
      )
    }
    if (path === `${reservedPath}search`) return yield* serveSearch(given)
    if (path === askPath) return (yield* serveAnswer(given)) ?? (yield* notFound(given))
    const image = pageOfImage(given.pagePath)
    if (image !== undefined) return (yield* serveImage(given, image)) ?? (yield* notFound(given))
    if (path === branchesPath) return (yield* serveBranch(given)) ?? (yield* notFound(given))
    return (yield* serveRootFile(given)) ?? (yield* servePage(given))
  })

  return {
    /** Serves a request within a site. The policy of pages permits the origins of its scripts. */
    serve: (given: SiteRequest) =>
      Effect.map(serveWithoutScripts(given), (response) => withScriptPolicy(response, given.site))
  }
})
