/** Presents the counts of the events of a site. */

import type { PageId } from "@lectern/model/content"
import type { SiteEventType, SiteInsights, SiteInsightsPage, SiteInsightsRating } from "@lectern/model/sites"
import { eventTypeOf, type SiteEventCountRow } from "./siteEventCountTable.ts"

/** The number of pages in the insights of a site. */
const maximumPages = 100

const addTo = <Key>(sums: Map<Key, number>, key: Key, count: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + count)
}

/** The number of paths, of searches and of rated pages in the insights of a site. */
const maximumSubjects = 100

/** The sums of the counts of the events of a site. */
export interface InsightSums {
  /** The number of views of each day. */
  readonly byDay: Map<string, number>
  /** The number of events of each type. */
  readonly byType: Map<SiteEventType, number>
  /** The number of views of each page. */
  readonly byPage: Map<PageId, number>
  /** The last path of each page. */
  readonly paths: Map<PageId, string>
  readonly ratings: Map<PageId, SiteInsightsRating>
  readonly searchesWithoutResults: Map<string, number>
  readonly pathsNotFound: Map<string, number>
}

/** Creates the sums of the given days. */
export const emptySums = (days: ReadonlyArray<string>): InsightSums => ({
  byDay: new Map(days.map((day) => [day, 0])),
  byType: new Map(),
  byPage: new Map(),
  paths: new Map(),
  ratings: new Map(),
  searchesWithoutResults: new Map(),
  pathsNotFound: new Map()
})

const addView = ({ byDay, byPage, paths }: InsightSums, row: SiteEventCountRow): void => {
  addTo(byDay, row.day, row.count)
  if (row.page === "") return
  addTo(byPage, row.page, row.count)
  paths.set(row.page, row.path)
}

const addRating = ({ ratings }: InsightSums, { type, page, path, count }: SiteEventCountRow): void => {
  if (page === "") return
  const { good, bad } = ratings.get(page) ?? { good: 0, bad: 0 }
  const added = type === "rated_good" ? { good: good + count, bad } : { good, bad: bad + count }
  ratings.set(page, { page, path, ...added })
}

/** Adds rows to sums, in the order of their days. */
export const addRows = (sums: InsightSums, rows: ReadonlyArray<SiteEventCountRow>): void => {
  for (const row of rows) {
    const { type, path, count } = row
    const eventType = eventTypeOf(type)
    if (eventType !== undefined) addTo(sums.byType, eventType, count)
    if (type === "no_results") addTo(sums.searchesWithoutResults, path, count)
    if (type === "not_found") addTo(sums.pathsNotFound, path, count)
    if (type === "rated_good" || type === "rated_bad") addRating(sums, row)
    if (type === "page_view") addView(sums, row)
  }
}

/** Returns the entries with the highest counts, the highest first. */
const mostFrequent = (
  counts: ReadonlyMap<string, number>
): ReadonlyArray<readonly [subject: string, count: number]> =>
  [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maximumSubjects)

/** Presents sums. Rated pages are in descending order of their negative ratings. */
export const presentInsights = (sums: InsightSums): SiteInsights => {
  const pages: ReadonlyArray<SiteInsightsPage> = [...sums.byPage]
    .map(([page, views]) => ({ page, path: sums.paths.get(page) ?? "", views }))
    .toSorted((a, b) => b.views - a.views || (a.path < b.path ? -1 : 1))
  const ratings = [...sums.ratings.values()].toSorted(
    (one, other) => other.bad - one.bad || other.good - one.good || (one.path < other.path ? -1 : 1)
  )
  return {
    object: "site-insights",
    days: [...sums.byDay].map(([day, views]) => ({ day, views })),
    pages: pages.slice(0, maximumPages),
    events: [...sums.byType]
      .map(([type, count]) => ({ type, count }))
      .toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
    ratings: ratings.slice(0, maximumSubjects),
    searchesWithoutResults: mostFrequent(sums.searchesWithoutResults).map(([query, count]) => ({
      query,
      count
    })),
    pathsNotFound: mostFrequent(sums.pathsNotFound).map(([path, count]) => ({ path, count }))
  }
}
