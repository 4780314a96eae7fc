/**
 * Crawls a website breadth first: its sitemap, then the links of its pages, within the origin and folder of the requested URL.
 * It respects robots.txt and the limits of an import.
 */

import {
  crawlScope,
  type Entry,
  type FetchedContent,
  type FetchedPage,
  isPageInScope,
  loadRobotsRules,
  type RobotsRules,
  resourceKey,
  type Scope,
  SiteTree,
  type Skipped,
  segmentsInScope,
  type WebPage
} from "@lectern/formats"
import type { StorageUnavailable } from "@lectern/kernel"
import { bounds } from "@lectern/model/imports"
import { Clock, Effect } from "effect"
import { type FetchError, type ImportContext, mapNotReadable, optional, urlError } from "./ImportContext.ts"
import { fetchImages, imagesOf, skippedImages } from "./images.ts"

const accept = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"

/** Whether a response may be a web page. Servers that do not declare a type may have sent one. */
const isHtml = (contentType: string): boolean => /^(?:text\/html|application\/xhtml\+xml|)$/.test(contentType)

/** Returns why a page cannot be imported, as a sentence. */
const reasonOf = (error: FetchError): string =>
  error._tag === "InvalidInput"
    ? `The URL ${error.details[0]?.message ?? "cannot be imported"}.`
    : error.message

/** A fetched page, with its URL after redirects. */
interface CrawledPage {
  readonly url: string
  readonly page: WebPage
}

/** Loads the URLs of pages in the sitemaps of a website that are in scope. Sitemaps that cannot be read are skipped. */
const loadSitemaps = Effect.fnUntraced(function* (
  { fetch, read, limits }: ImportContext,
  scope: Scope,
  robots: RobotsRules
): Effect.fn.Return<ReadonlyArray<string>, StorageUnavailable> {
  const queue = robots.sitemaps.length > 0 ? [...robots.sitemaps] : [`${scope.origin}/sitemap.xml`]
  const seen = new Set<string>()
  const pages: Array<string> = []
  const maximumPages = limits.websitePages * bounds.addressesPerPage
  for (const url of queue) {
    if (!URL.canParse(url) || new URL(url).origin !== scope.origin || seen.has(url)) continue
    if (seen.size === bounds.sitemaps || pages.length >= maximumPages) break
    seen.add(url)
    const sitemap = yield* optional(
      Effect.flatMap(
        fetch({ url, maximumBytes: bounds.sitemapBytes, timeoutMillis: bounds.pageMillis }),
        ({ body }) => mapNotReadable(read("sitemap", { bytes: body }))
      )
    )
    if (sitemap === undefined) continue
    queue.push(...sitemap.sitemaps)
    pages.push(...sitemap.pages.filter((page) => URL.canParse(page) && isPageInScope(scope, page)))
  }
  return pages.slice(0, maximumPages)
})

/** Loads the menu that the first page refers to; empty if the page has no such menu, or it cannot be read. */
const loadMenu = (
  { fetch, read }: ImportContext,
  { origin }: Scope,
  { page }: CrawledPage
): Effect.Effect<ReadonlyArray<Entry>, StorageUnavailable> => {
  const url = page.place?.menuUrl
  if (url === undefined || new URL(url).origin !== origin) return Effect.succeed([])
  return fetch({ url, maximumBytes: bounds.pageBytes, timeoutMillis: bounds.pageMillis }).pipe(
    Effect.flatMap(({ body }) =>
      mapNotReadable(read("menu", { bytes: body, url, base: new URL("../", url).href }))
    ),
    optional,
    Effect.map((entries) => entries ?? [])
  )
}

/** Returns the canonical URL that a page declares, if it is a variant of the URL that it was fetched from; else the latter. */
const canonicalUrl = ({ url, page }: CrawledPage): string => {
  const { canonical } = page
  if (canonical === undefined) return url
  const normalize = (variant: string) =>
    resourceKey(variant)
      .split("?")[0]!
      .replace(/\.html?$/i, "")
  return normalize(canonical) === normalize(url) ? canonical : url
}

/** The approximate memory usage of a page, in characters. Its targets include images as `data:` URLs. */
const weightOf = ({ markdown, targets }: WebPage): number =>
  targets.reduce((sum, { url }) => sum + url.length + 50, markdown.length)

/** The number of pages that are loaded before their links are queued. Until then, the links and menus are in memory. */
const batchSize = 4 * bounds.concurrency

/** Returns the number of pages that link to each URL. */
const countLinks = (
  pages: Iterable<FetchedPage>,
  urls: ReadonlyArray<string>
): ReadonlyMap<string, number> => {
  const counts = new Map(urls.map((url) => [url, 0]))
  for (const { page } of pages) {
    for (const url of new Set(page.targets.map((target) => target.url.split("#")[0]!))) {
      const count = counts.get(url)
      if (count !== undefined) counts.set(url, count + 1)
    }
  }
  return counts
}

const linksToIt = (count: number): string =>
  count === 0 ? "" : count === 1 ? " One imported page links to it." : ` ${count} imported pages link to it.`

/**
 * Crawls the website at a URL. Fails if the first page cannot be fetched and parsed, or robots.txt excludes it; other pages
 * that fail are skipped.
 */
export const fetchWebsite = Effect.fnUntraced(function* (
  context: ImportContext,
  requestedUrl: string
): Effect.fn.Return<FetchedContent, FetchError> {
  const { fetch, read, mark, limits } = context
  const maximumAddresses = limits.websitePages * bounds.addressesPerPage
  // The remaining URLs of a website are reported, up to this number.
  const maximumQueued = maximumAddresses * 10
  const deadline = (yield* Clock.currentTimeMillis) + bounds.websiteMillis

  const load = Effect.fnUntraced(function* (url: string) {
    const {
      url: finalUrl,
      contentType,
      body
    } = yield* fetch({
      url,
      accept,
      maximumBytes: bounds.pageBytes,
      timeoutMillis: bounds.pageMillis
    })
    if (!isHtml(contentType)) return yield* urlError(`points to ${contentType}, which is not a web page`)
    const page = yield* mapNotReadable(read("html", { bytes: body, url: finalUrl, mark, withPlace: true }))
    return { url: finalUrl, page } satisfies CrawledPage
  })

  const disallowed = urlError("points to a website whose robots.txt does not allow it to be crawled")
  const start = new URL(requestedUrl)
  start.hash = ""
  const startRobots = yield* loadRobotsRules(fetch, start.origin)
  if (!startRobots.isAllowed(start.href)) return yield* disallowed
  const first = yield* load(start.href)
  const scope = crawlScope(start.href, first.url)
  const robots = scope.origin === start.origin ? startRobots : yield* loadRobotsRules(fetch, scope.origin)
  if (!robots.isAllowed(first.url)) return yield* disallowed

  const resources = new Map<string, string>()
  const queued = new Set([resourceKey(start.href), resourceKey(first.url)])
  const pages = new Map<string, FetchedPage>()
  const tree = new SiteTree(resourceKey)
  let [weight, isQueueFull]: [number, boolean] = [0, false]
  const queue: Array<string> = []

  const skipped: Array<Skipped> = []
  const skip = (resource: string, reason: string): undefined => {
    skipped.push({ kind: "page", resource, reason })
    return undefined
  }

  const enqueue = (link: string): void => {
    const url = new URL(link)
    url.hash = ""
    const key = resourceKey(url.href)
    if (queued.has(key)) return
    if (!isPageInScope(scope, url.href) || !robots.isAllowed(url.href)) return
    if (queued.size >= maximumQueued) {
      isQueueFull = true
      return
    }
    queued.add(key)
    queue.push(url.href)
  }

  /** Adds a page by the key of its canonical URL. */
  const addPage = (requestedAs: string, crawled: CrawledPage): void => {
    const canonical = canonicalUrl(crawled)
    const key = resourceKey(canonical)
    for (const url of [requestedAs, crawled.url, canonical]) resources.set(resourceKey(url), key)
    for (const url of [crawled.url, canonical]) queued.add(resourceKey(url))
    if (pages.has(key)) return
    const { canonical: _, links: __, place, ...page } = crawled.page
    if (place !== undefined) tree.add(canonical, place)
    const segments = segmentsInScope(scope, canonical)
    pages.set(key, { resource: key, segments, page, fallback: segments.at(-1) ?? scope.origin })
  }

  weight += weightOf(first.page)
  addPage(start.href, first)
  tree.addMenu(yield* loadMenu(context, scope, first))
  for (const url of yield* loadSitemaps(context, scope, robots)) enqueue(url)
  for (const url of first.page.links) enqueue(url)

  /** Loads a page. Returns undefined if it fails, redirects out of scope, or the limits of the crawl are reached. */
  const visit = Effect.fnUntraced(function* (
    url: string
  ): Effect.fn.Return<CrawledPage | undefined, StorageUnavailable> {
    if ((yield* Clock.currentTimeMillis) > deadline) {
      return skip(url, `The import took longer than ${bounds.websiteMillis / 1000} s.`)
    }
    if (weight > bounds.texts) {
      return skip(url, `The pages before it have more than ${bounds.texts} characters.`)
    }
    if (robots.delayMillis > 0) yield* Effect.sleep(robots.delayMillis)
    const crawled = yield* Effect.catchTags(load(url), {
      InvalidInput: (error) => Effect.succeed(skip(url, reasonOf(error))),
      UpstreamFailed: (error) => Effect.succeed(skip(url, reasonOf(error))),
      UpstreamTimeout: (error) => Effect.succeed(skip(url, reasonOf(error)))
    })
    if (crawled === undefined) return undefined
    weight += weightOf(crawled.page)
    return isPageInScope(scope, crawled.url) && robots.isAllowed(crawled.url)
      ? crawled
      : skip(url, "The page redirects out of the imported part of the website.")
  })

  let attempted = 1
  while (queue.length > 0 && pages.size < limits.websitePages && attempted < maximumAddresses) {
    const batch = queue.splice(
      0,
      Math.min(batchSize, limits.websitePages - pages.size, maximumAddresses - attempted)
    )
    attempted += batch.length
    const results = yield* Effect.forEach(batch, visit, {
      concurrency: robots.delayMillis > 0 ? 1 : bounds.concurrency
    })
    // Results are added in the order of the queue, not of their arrival, so that a crawl is deterministic.
    for (const [index, crawled] of results.entries()) {
      if (crawled === undefined) continue
      addPage(batch[index]!, crawled)
      for (const url of crawled.page.links) enqueue(url)
    }
  }

  const all = [...pages.values()]
  const linkCounts = countLinks(all, queue)
  for (const url of queue) {
    const reason =
      pages.size >= limits.websitePages
        ? `The website has more than ${limits.websitePages} pages.`
        : `The website has more than ${maximumAddresses} URLs.`
    skip(url, reason + linksToIt(linkCounts.get(url) ?? 0))
  }
  if (isQueueFull)
    skip(start.href, `The website links to more than ${maximumQueued} URLs; others are not listed.`)
  const imageUrls = imagesOf(all.map(({ page }) => page))
  const images = yield* fetchImages(context, imageUrls, (url) =>
    Effect.map(
      Clock.currentTimeMillis,
      (now) => now <= deadline && (new URL(url).origin !== scope.origin || robots.isAllowed(url))
    )
  )
  const resourceOf = (url: string): string | undefined => {
    const image = images.get(url)
    if (image !== undefined) return image.resource
    if (!URL.canParse(url) || !/^https?:/.test(url)) return undefined
    const key = resourceKey(url)
    // A page that this crawl did not fetch may exist from an earlier import.
    return resources.get(key) ?? (isPageInScope(scope, url) ? key : undefined)
  }
  const folderKey = resourceKey(scope.origin + scope.folder)
  const home = [resources.get(folderKey), resources.get(resourceKey(first.url))].find(
    (key) => key !== undefined && pages.has(key)
  )
  const sitePages = all.map(({ resource, page: { targets } }) => ({
    resource,
    links: targets.flatMap(({ kind, url }) => (kind === "link" ? [url] : []))
  }))
  return {
    pages: all,
    files: [...images.values()],
    total: all.length + skipped.length + imageUrls.length,
    skipped: [...skipped, ...skippedImages(imageUrls, images)],
    navigation: tree.toEntries(sitePages, home, (key) => resources.get(key)),
    resourceOf,
    git: undefined
  }
})
