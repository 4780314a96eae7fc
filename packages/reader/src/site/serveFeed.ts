/** Serves the feeds of a site: `rss.xml` and `atom.xml` at its root, and below pages with a changelog. */
import type { StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { messagesOf } from "../page/messages.ts"
import type { ContentLoader } from "../source/ContentLoader.ts"
import { changedPages, changelogEntries, type FeedFormat, writeFeed } from "./feeds.ts"
import { type LoadedSpace, pathOfPage, type ReadableSite } from "./ReadableSite.ts"
import type { SiteRequest } from "./serveSite.ts"
import type { ServeText } from "./serveText.ts"

const feedPattern = /^(?:([\s\S]*)\/)?(rss|atom)\.xml$/

/** Creates the function that serves a feed. It returns `undefined` for a path that is not that of a feed. */
export const makeServeFeed = (
  loader: ContentLoader,
  allSpaces: (site: ReadableSite) => Effect.Effect<ReadonlyArray<LoadedSpace>, StorageUnavailable>,
  serveText: ServeText
) =>
  Effect.fnUntraced(function* (given: SiteRequest) {
    const { site, space, path, pagePath } = given
    const [, owner, format] = feedPattern.exec(pagePath) ?? []
    if (format === undefined || site.publicUrl === undefined) return undefined
    const siteTitle = site.customization.title ?? site.title
    const feedOf = (title: string, url: string, entries: ReturnType<typeof changedPages>) => ({
      type: `application/${format}+xml`,
      body: writeFeed(format as FeedFormat, {
        title,
        url,
        feedUrl: `${site.publicUrl}${path}`,
        language: messagesOf(site.customization.internationalization.locale).locale,
        entries
      })
    })
    if (path === `${format}.xml`) {
      const { publicUrl } = site
      return yield* serveText(
        given,
        "all",
        Effect.map(allSpaces(site), (spaces) => feedOf(siteTitle, publicUrl, changedPages(site, spaces)))
      )
    }
    const page = owner === undefined ? space.index.first : space.index.byPath.get(owner)?.page
    if (page?.type !== "document") return undefined
    const url = `${site.publicUrl}${pathOfPage(space, page)}`
    const work = Effect.gen(function* () {
      const document = yield* loader.parse(yield* loader.markdown(site.identity, space.content, page))
      const entries = changelogEntries(document, url)
      // A page without a changelog has no feed.
      return entries === undefined ? undefined : feedOf(`${page.title} | ${siteTitle}`, url, entries)
    })
    return yield* serveText(given, "own", work)
  })
