/** Serves the feeds of a site: `rss.xml` and `atom.xml` at its root, and below pages with a changelog. */
import type { StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import { rendered, respond } from "../http/messages.ts"
import { messagesOf } from "../page/messages.ts"
import type { ContentLoader } from "../source/ContentLoader.ts"
import { changedPages, changelogEntries, type FeedFormat, writeFeed } from "./feeds.ts"
import { cachingOf, type LoadedSpace, pathOfPage, type ReadableSite } from "./ReadableSite.ts"
import type { SiteRequest } from "./serveSite.ts"

const feedPattern = /^(?:([\s\S]*)\/)?(rss|atom)\.xml$/

/** Creates the function that serves a feed. It returns `undefined` for a path that is not that of a feed. */
export const makeServeFeed = (
  loader: ContentLoader,
  allSpaces: (site: ReadableSite) => Effect.Effect<ReadonlyArray<LoadedSpace>, StorageUnavailable>
) =>
  Effect.fnUntraced(function* ({ request, site, space, path, pagePath }: SiteRequest) {
    const [, owner, format] = feedPattern.exec(pagePath) ?? []
    if (format === undefined || site.publicUrl === undefined) return undefined
    const siteTitle = site.customization.title ?? site.title
    const respondWith = (title: string, url: string, entries: ReturnType<typeof changedPages>) =>
      respond(
        request,
        rendered(
          `application/${format}+xml; charset=utf-8`,
          writeFeed(format as FeedFormat, {
            title,
            url,
            feedUrl: `${site.publicUrl}${path}`,
            language: messagesOf(site.customization.internationalization.locale).locale,
            entries
          })
        ),
        cachingOf(site)
      )
    if (path === `${format}.xml`) {
      return respondWith(siteTitle, site.publicUrl, changedPages(site, yield* allSpaces(site)))
    }
    const page = owner === undefined ? space.index.first : space.index.byPath.get(owner)?.page
    if (page?.type !== "document") return undefined
    const url = `${site.publicUrl}${pathOfPage(space, page)}`
    const document = yield* loader.parse(yield* loader.markdown(site.identity, space.content, page))
    const entries = changelogEntries(document, url)
    return entries === undefined ? undefined : respondWith(`${page.title} | ${siteTitle}`, url, entries)
  })
