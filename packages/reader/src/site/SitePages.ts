/** Renders the pages of a site for one reader, and caches them by everything that they display. */
import { boundedFromMarkdown } from "@lectern/formats/threads"
import { slugOf } from "@lectern/markdown/text"
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Assets } from "../assets/files.ts"
import { themeFile } from "../assets/theme.ts"
import { idsIn } from "../document/headings.ts"
import { isRenderedFromSpec } from "../document/openApiBlocks.ts"
import { keyOfPiece, type Pieces } from "../highlight/Pieces.ts"
import { element } from "../html/Html.ts"
import { iconOfPage } from "../html/icons.ts"
import { encodePath, externalUrl, relativeUrl, resourceUrl, type SafeUrl } from "../html/urls.ts"
import { renderedHtml, type SiteAnswer } from "../http/messages.ts"
import { renderPage } from "../page/renderPage.ts"
import type { ContentLoader } from "../source/ContentLoader.ts"
import { orUndefined } from "../source/ContentLoader.ts"
import type { DocumentPage, IndexedPage } from "../source/PageIndex.ts"
import { feedbackPath, thanksId } from "./feedback.ts"
import { hasChangelog } from "./feeds.ts"
import { type LinkOrigin, resolveImage } from "./links.ts"
import { resolveMetaLinks } from "./metaLinks.ts"
import { type AssetNames, buildFrame, spacesInLinks } from "./navigation.ts"
import { makePageCache } from "./PageCache.ts"
import { type LoadedSpace, pageUrl, pathOfPage, type ReadableSite } from "./ReadableSite.ts"
import { renderContent } from "./renderContent.ts"
import { socialImagePath, socialSvg } from "./socialImage.ts"

/** The document of a page whose Markdown is not used. */
const emptyDocument = boundedFromMarkdown("")

/** The duration in which the code and the formulas of a page are rendered, in milliseconds. */
const piecesDeadlineMs = 3_000

/** The duration in which the image of a page is rendered, in milliseconds. */
const imageDeadlineMs = 10_000

/** The capacity of the cache of pages, in characters. */
export const maximumCachedCharacters = 100_000_000

/** The number of themes whose style sheets are cached. */
const maximumThemes = 1_000

/** The number of pages whose headings are cached. */
const maximumHeadings = 5_000

/** A page of a site to render. */
export interface PageTarget {
  readonly site: ReadableSite
  readonly space: LoadedSpace
  readonly indexed: IndexedPage
  readonly page: DocumentPage
}

/** Returns the absolute URL of a path on a published site. */
export const absoluteUrl = (site: ReadableSite, path: string): SafeUrl | undefined =>
  site.publicUrl === undefined ? undefined : externalUrl(`${site.publicUrl}${path}`)

/** Whether search engines may list a page. */
export const isPageIndexed = ({
  site,
  page,
  indexed
}: Pick<PageTarget, "site" | "page" | "indexed">): boolean =>
  site.isIndexed && page.noRobotsIndex !== true && !indexed.isHidden

/** Returns the feeds of the site of a page, and of its changelog. A preview has no feed. */
const feedsOf = (site: ReadableSite, space: LoadedSpace, page: DocumentPage, isChangelog: boolean) => {
  if (site.kind === "preview") return []
  const from = pathOfPage(space, page)
  const siteTitle = site.customization.title ?? site.title
  const feeds = [
    { title: siteTitle, folder: "" },
    ...(isChangelog ? [{ title: page.title, folder: `${space.root}${encodePath(page.path)}/` }] : [])
  ]
  return feeds.flatMap(({ title, folder }) =>
    ["rss", "atom"].map((format) => ({
      title,
      type: `application/${format}+xml`,
      href: relativeUrl(from, `${folder}${format}.xml`)
    }))
  )
}

/** The maximum length of the Markdown from which the description of a page is taken, in characters. */
const maximumExcerptSource = 2_000

/** The first paragraph of Markdown as plain text, for the description of a page without one. */
const excerptOf = (markdown: string): string | undefined => {
  const paragraph = markdown
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .find((part) => /^[\p{L}\p{N}*_[`"'(]/u.test(part))
  const text = paragraph
    ?.slice(0, maximumExcerptSource)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]*>|[*_`]/g, "")
    .replace(/\s+/g, " ")
    .trim()
  if (text === undefined || text === "") return undefined
  return text.length <= 200 ? text : `${text.slice(0, 199).replace(/\s+\S*$/, "")}…`
}

/** Creates the renderer of pages. */
export const makeSitePages = (loader: ContentLoader, pieces: Pieces, assets: Assets, cacheSize: number) => {
  const pageCache = makePageCache(cacheSize)
  const headings = new LRUCache<string, ReadonlyArray<string>>({ max: maximumHeadings })
  const themes = new LRUCache<string, ReturnType<typeof themeFile>>({ max: maximumThemes })
  const themesByName = new LRUCache<string, ReturnType<typeof themeFile>>({ max: maximumThemes })

  const themeOf = ({ customization }: ReadableSite) => {
    const key = JSON.stringify([customization.styling, customization.header])
    const cached = themes.get(key)
    if (cached !== undefined) return cached
    const file = themeFile(customization, assets)
    themes.set(key, file)
    themesByName.set(file.name, file)
    return file
  }

  const assetsOf = (site: ReadableSite): AssetNames => ({
    style: assets.style.name,
    theme: themeOf(site).name,
    script: assets.script.name,
    requests: assets.requests.name,
    consent: assets.consent.name,
    ask: assets.ask.name
  })

  /** Loads a space of the site; `undefined` if it no longer exists. */
  const loadSpace = (site: ReadableSite, id: string) => {
    const space = site.spaces.get(id)
    return space === undefined ? Effect.succeed(undefined) : orUndefined(loader.space(site.identity, space))
  }

  /** Loads the spaces that the frame of a site links to. */
  const loadLinkedSpaces = Effect.fnUntraced(function* (site: ReadableSite, space: LoadedSpace) {
    const ids = spacesInLinks(site.customization).filter((id) => id !== space.id)
    const found = new Map<string, LoadedSpace>()
    for (const id of ids) {
      const loaded = yield* loadSpace(site, id)
      if (loaded !== undefined) found.set(id, loaded)
    }
    return found
  })

  /** Builds the frame of a page at the path `from`. */
  const frameAt = Effect.fnUntraced(function* (
    site: ReadableSite,
    space: LoadedSpace,
    from: string,
    current: IndexedPage | undefined
  ) {
    const linked = yield* loadLinkedSpaces(site, space)
    const origin: LinkOrigin = {
      site,
      space,
      from,
      pagePath: current !== undefined && "path" in current.page ? current.page.path : "",
      otherSpace: (id) => linked.get(id)
    }
    return { frame: buildFrame(origin, current, assetsOf(site)), origin, linked }
  })

  const linkTo = (from: string, space: LoadedSpace, page: DocumentPage | undefined) =>
    page === undefined
      ? undefined
      : { title: page.title, href: pageUrl(from, space, page), icon: iconOfPage(page) }

  /** Whether a page is rendered from its spec, so that its generated Markdown, which can be long, is not parsed. */
  const isFromSpec = Effect.fnUntraced(function* (
    site: ReadableSite,
    space: LoadedSpace,
    page: DocumentPage
  ) {
    if (page.computed === undefined || !isRenderedFromSpec(page.computed)) return false
    const { spec } = page.computed.dependencies.spec.ref
    return (yield* loader.openApi(site.identity, space.content, page, spec)) !== undefined
  })

  /** Returns the ids of the headings of a page, which links of other pages refer to. */
  const headingsOf = Effect.fnUntraced(function* (
    site: ReadableSite,
    space: LoadedSpace,
    page: DocumentPage
  ) {
    const key = `${space.version} ${page.id}`
    const known = headings.get(key)
    if (known !== undefined) return known
    const markdown =
      page.computed === undefined
        ? yield* orUndefined(loader.markdown(site.identity, space.content, page))
        : undefined
    const ids = idsIn((yield* loader.parse(markdown ?? "")).nodes)
    const found = [...ids.headings, ...ids.anchors]
    headings.set(key, found)
    return found
  })

  const render = Effect.fnUntraced(function* ({ site, space, indexed, page }: PageTarget) {
    const from = pathOfPage(space, page)
    const markdown = yield* loader.markdown(site.identity, space.content, page)
    const document = (yield* isFromSpec(site, space, page)) ? emptyDocument : yield* loader.parse(markdown)
    const { frame, origin, linked } = yield* frameAt(site, space, from, indexed)
    const rendered = yield* renderContent(
      { origin, document, page, showsConditions: site.kind === "preview" },
      {
        pieces: (all) => Effect.promise(() => pieces.render(all, piecesDeadlineMs)),
        space: (id) => loadSpace(site, id),
        headings: (other, target) => headingsOf(site, other, target),
        openApi: (source) => loader.openApi(site.identity, space.content, page, source)
      }
    )
    const at = space.index.reading.findIndex(({ id }) => id === page.id)
    const { cover } = page
    const coverImage = cover?.ref === undefined ? undefined : resolveImage(origin, cover.ref)
    const coverDark = cover?.refDark === undefined ? undefined : resolveImage(origin, cover.refDark)
    const image = (source: { readonly src: SafeUrl }, className?: string) =>
      element("img", { src: source.src, alt: "", class: className, fetchpriority: "high" })
    const description = page.description ?? excerptOf(markdown)
    const { socialPreview } = site.customization
    const imagePath = site.kind === "published" ? socialImagePath(site, page) : undefined
    const socialImage = imagePath === undefined ? undefined : absoluteUrl(site, `${space.root}${imagePath}`)
    // Operations are next to their code samples, which takes the width of the outline.
    const layout =
      page.computed === undefined ? page.layout : { ...page.layout, width: "wide" as const, outline: false }
    const metaLinks = yield* resolveMetaLinks({ loadSpace, absoluteUrl }, site, space, page)
    const body = renderPage({
      frame,
      metadata: {
        canonical: metaLinks.canonical ?? absoluteUrl(site, from),
        alternates: metaLinks.alternates,
        description,
        image: resourceUrl(socialPreview.url ?? "") ?? coverImage?.src ?? socialImage,
        isIndexed: isPageIndexed({ site, page, indexed }),
        isExcludedFromSearch: indexed.isHidden || page.noIndex === true,
        feeds: feedsOf(site, space, page, hasChangelog(document)),
        sendsRequests: rendered.origins.length > 0,
        markdown: relativeUrl(from, markdownPath(space, page))
      },
      title: page.title,
      titleId: titleIdOf(page.title, rendered.hasId),
      icon: iconOfPage(page),
      description: page.computed === undefined ? page.description : page.description?.replace(/[*_`]/g, ""),
      cover:
        page.layout.cover && coverImage !== undefined
          ? {
              image:
                coverDark === undefined
                  ? image(coverImage)
                  : element("div", {}, image(coverImage, "only-light"), image(coverDark, "only-dark")),
              size: page.layout.coverSize
            }
          : undefined,
      layout,
      content:
        rendered.content.text === ""
          ? element("p", { class: "empty" }, frame.messages.emptyPage)
          : rendered.content,
      outline: rendered.outline,
      breadcrumbs: indexed.above.map((above) => {
        const target = above.type === "document" ? above : undefined
        return { title: above.title, href: target === undefined ? undefined : pageUrl(from, space, target) }
      }),
      previous: at <= 0 ? undefined : linkTo(from, space, space.index.reading[at - 1]),
      next: at < 0 ? undefined : linkTo(from, space, space.index.reading[at + 1]),
      updatedAt: page.updatedAt,
      feedback:
        site.kind === "published" && site.customization.feedback.enabled
          ? { action: relativeUrl(from, `${space.root}${feedbackPath}`), page: page.id }
          : undefined,
      actions: { markdown: relativeUrl(from, markdownPath(space, page)) }
    })
    const { isComplete, origins, specs } = rendered
    return {
      body,
      isComplete,
      origins,
      specs,
      spaces: [...rendered.spaces, ...linked.values(), ...metaLinks.spaces]
    }
  })

  return {
    assetsOf,

    /** Renders the image of a page for previews of links; `undefined` if the page has no image, or it is not rendered in time. */
    socialImage: Effect.fnUntraced(function* (site: ReadableSite, page: DocumentPage) {
      const svg = socialSvg(site, page)
      if (svg === undefined) return undefined
      const piece = { kind: "image", svg } as const
      const { pieces: done } = yield* Effect.promise(() => pieces.render([piece], imageDeadlineMs))
      const rendered = done.get(keyOfPiece(piece))
      return typeof rendered === "string" ? Buffer.from(rendered, "base64") : undefined
    }),

    frameAt,
    loadSpace,

    /** Renders an answer at a path. The code of an answer that is not complete has no colors yet. */
    answer: Effect.fnUntraced(function* (
      site: ReadableSite,
      space: LoadedSpace,
      from: string,
      { document, isComplete }: Pick<SiteAnswer, "document" | "isComplete">
    ) {
      const { origin } = yield* frameAt(site, space, from, undefined)
      const { content } = yield* renderContent(
        { origin, document, page: undefined, showsConditions: false },
        {
          pieces: (all) =>
            isComplete
              ? Effect.promise(() => pieces.render(all, piecesDeadlineMs))
              : Effect.succeed({ pieces: new Map(), isComplete: false }),
          space: (id) => loadSpace(site, id),
          headings: (other, target) => headingsOf(site, other, target),
          openApi: () => Effect.succeed(undefined)
        }
      )
      return content
    }),

    /** Returns the style sheet with a name, if it was generated in this process. */
    themeNamed: (name: string) => themesByName.get(name),
    themeOf,

    cached: pageCache.cached,

    /** Renders a page, and caches it under a key. */
    page: (key: string, target: PageTarget) =>
      pageCache.renderOnce(
        key,
        // It is complete if everything of it was rendered in time.
        Effect.map(render(target), ({ body, isComplete, origins, spaces, specs }) => ({
          page: { ...renderedHtml(body), origins },
          isComplete,
          spaces: spaces.map(({ id, version }) => ({ id, version })),
          specs
        }))
      ),

    file: pageCache.file
  }
}

/** Returns the id of a title. */
const titleIdOf = (title: string, isTaken: (id: string) => boolean): string | undefined => {
  const id = slugOf(title, "")
  return id === "" || id === thanksId || isTaken(id) ? undefined : id
}

/** Renders the pages of a site. */
export interface SitePages extends ReturnType<typeof makeSitePages> {}

/** The encoded path of a page as Markdown. The first page of a space has one of its own, too. */
export const markdownPath = (space: LoadedSpace, page: DocumentPage): string =>
  `${space.root}${encodePath(page.path)}.md`
