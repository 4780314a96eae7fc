/**
 * Crawls a website: its sitemap first, then breadth first along its links, within its origin and path, as its
 * robots.txt lets it (decision D12).
 */
import { Clock, Effect, Option, Result } from "effect"
import { bounds } from "../../model/imports/Import.ts"
import type { Entry, WebPage } from "../conversion/Readings.ts"
import { isPageIn, keyOf, type Scope, scopeOf, segmentsOf } from "./addresses.ts"
import type { Gathered, GatheredPage } from "./Gathered.ts"
import { gatherImages, imagesOf } from "./images.ts"
import { type GatherFailure, type Outside, orWrong, wrong } from "./requests.ts"
import { type Robots, robotsOf } from "./robots.ts"

const accept = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"

/** The types of web pages; a server that says none may have sent one. */
const isHtml = (contentType: string): boolean => /^(?:text\/html|application\/xhtml\+xml|)$/.test(contentType)

/** A page that was fetched, by the address that it turned out to have. */
interface Found {
  readonly url: string
  readonly page: WebPage
}

/** What the sitemaps of a website list, as far as it is in scope. */
const sitemapsOf = Effect.fnUntraced(function* (
  { fetch, read }: Outside,
  scope: Scope,
  robots: Robots
): Effect.fn.Return<ReadonlyArray<string>> {
  const open = robots.sitemaps.length > 0 ? [...robots.sitemaps] : [`${scope.origin}/sitemap.xml`]
  const seen = new Set<string>()
  const pages: Array<string> = []
  for (const url of open) {
    if (!URL.canParse(url) || new URL(url).origin !== scope.origin || seen.has(url)) continue
    if (seen.size === bounds.sitemaps || pages.length >= bounds.websiteAddresses) break
    seen.add(url)
    const found = yield* Effect.option(
      Effect.flatMap(
        fetch({ url, maximumBytes: bounds.sitemapBytes, timeoutMillis: bounds.pageMillis }),
        ({ body }) => read("sitemap", { bytes: body })
      )
    )
    if (Option.isNone(found)) continue
    open.push(...found.value.sitemaps)
    pages.push(...found.value.pages.filter((page) => URL.canParse(page) && isPageIn(scope, page)))
  }
  return pages.slice(0, bounds.websiteAddresses)
})

/** The address that a page says is its own, where that differs from the one it was found at in no more than writing. */
const ownAddress = ({ url, page }: Found): string => {
  const { canonical } = page
  if (canonical === undefined) return url
  const plain = (address: string) =>
    keyOf(address)
      .split("?")[0]!
      .replace(/\.html?$/i, "")
  return plain(canonical) === plain(url) ? canonical : url
}

/** What a page takes of memory, in characters: images that come with pages are in their targets. */
const weightOf = ({ markdown, targets, links }: WebPage): number =>
  markdown.length +
  [...targets.map(({ url }) => url), ...links].reduce((sum, url) => sum + url.length + 50, 0)

/** Crawls the website at an address. */
export const gatherWebsite = Effect.fnUntraced(function* (
  outside: Outside,
  asked: string
): Effect.fn.Return<Gathered, GatherFailure> {
  const { fetch, read, mark } = outside
  const deadline = (yield* Clock.currentTimeMillis) + bounds.websiteMillis

  const load = Effect.fnUntraced(function* (url: string, withNavigation: boolean) {
    const {
      url: end,
      contentType,
      body
    } = yield* fetch({
      url,
      accept,
      maximumBytes: bounds.pageBytes,
      timeoutMillis: bounds.pageMillis
    })
    if (!isHtml(contentType)) return yield* wrong(`leads to ${contentType}, which is no web page`)
    const page = yield* orWrong(read("html", { bytes: body, url: end, mark, withNavigation }))
    return { url: end, page } satisfies Found
  })

  const refused = wrong("leads to a website whose robots.txt does not let it be read")
  const begin = new URL(asked)
  begin.hash = ""
  const askedRobots = yield* robotsOf(fetch, begin.origin)
  if (!askedRobots.isAllowed(begin.href)) return yield* refused
  const first = yield* load(begin.href, true)
  const scope = scopeOf(begin.href, first.url)
  const robots = scope.origin === begin.origin ? askedRobots : yield* robotsOf(fetch, scope.origin)
  if (!robots.isAllowed(first.url)) return yield* refused

  const resources = new Map<string, string>()
  const queued = new Set([keyOf(begin.href), keyOf(first.url)])
  const pages = new Map<string, GatheredPage>()
  let [total, weight]: [number, number] = [0, 0]
  const queue: Array<string> = []

  const enqueue = (address: string): void => {
    const url = new URL(address)
    url.hash = ""
    const key = keyOf(url.href)
    if (queued.has(key) || queued.size > bounds.websiteAddresses * 10) return
    if (!isPageIn(scope, url.href) || !robots.isAllowed(url.href)) return
    queued.add(key)
    queue.push(url.href)
  }

  /** Notes a page under its own address, and answers whether it is one that was not there yet. */
  const keep = (from: string, found: Found): boolean => {
    const own = ownAddress(found)
    const key = keyOf(own)
    for (const address of [from, found.url, own]) resources.set(keyOf(address), key)
    for (const address of [found.url, own]) queued.add(keyOf(address))
    if (pages.has(key)) return false
    const { canonical: _, links: __, navigation: ___, ...page } = found.page
    const segments = segmentsOf(scope, own)
    pages.set(key, { resource: key, segments, page, fallback: segments.at(-1) ?? scope.origin })
    return true
  }

  weight += weightOf(first.page)
  keep(begin.href, first)
  total++
  for (const address of yield* sitemapsOf(outside, scope, robots)) enqueue(address)
  for (const address of first.page.links) enqueue(address)

  const visit = Effect.fnUntraced(function* (url: string): Effect.fn.Return<Found | undefined> {
    if ((yield* Clock.currentTimeMillis) > deadline || weight > bounds.texts) return undefined
    if (robots.delayMillis > 0) yield* Effect.sleep(robots.delayMillis)
    const found = yield* Effect.result(load(url, false))
    if (Result.isSuccess(found)) weight += weightOf(found.success.page)
    return Result.isSuccess(found) &&
      isPageIn(scope, found.success.url) &&
      robots.isAllowed(found.success.url)
      ? found.success
      : undefined
  })

  let tried = 1
  while (queue.length > 0 && pages.size < bounds.websitePages && tried < bounds.websiteAddresses) {
    const next = queue.splice(0, Math.min(bounds.websitePages - pages.size, bounds.websiteAddresses - tried))
    tried += next.length
    const found = yield* Effect.forEach(next, visit, {
      concurrency: robots.delayMillis > 0 ? 1 : bounds.concurrency
    })
    // In the order of the queue, however they came in, so that one website is always read in one way.
    for (const [index, one] of found.entries()) {
      if (one === undefined || keep(next[index]!, one)) total++
      for (const address of one?.page.links ?? []) enqueue(address)
    }
  }

  const all = [...pages.values()]
  const addresses = imagesOf(all.map(({ page }) => page))
  const images = yield* gatherImages(outside, addresses, (address) =>
    Effect.map(
      Clock.currentTimeMillis,
      (now) => now <= deadline && (new URL(address).origin !== scope.origin || robots.isAllowed(address))
    )
  )
  const resourceOf = (url: string): string | undefined => {
    const image = images.get(url)
    if (image !== undefined) return image.resource
    if (!URL.canParse(url) || !/^https?:/.test(url)) return undefined
    const key = keyOf(url)
    // What did not come this time may be there from the time before.
    return resources.get(key) ?? (isPageIn(scope, url) ? key : undefined)
  }
  const inScope = (entry: Entry): Entry => ({
    ...entry,
    url: entry.url === undefined ? undefined : resourceOf(entry.url),
    entries: entry.entries.map(inScope)
  })
  return {
    pages: all,
    files: [...images.values()],
    total: total + addresses.length,
    navigation: first.page.navigation.map(inScope),
    resourceOf,
    git: undefined
  }
})
