/** Presents the counts of the events of a site. */

import type { SiteEventCountRow } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import type { SiteEventType, SiteInsights, SiteInsightsPage, SiteInsightsRating } from "@lectern/model/sites"

/** The number of pages in the insights of a site. */
const maximumPages = 100

const addTo = <Key>(sums: Map<Key, number>, key: Key, count: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + count)
}

/** The number of paths, of searches and of rated pages in the insights of a site. */
const maximumSubjects = 100

const isRating = (type: string): boolean => type === "rated_good" || type === "rated_bad"

const isMissed = (type: string): boolean => type === "not_found" || type === "no_results"

/** Returns the subjects of a type, the most frequent first. */
const subjectsOf = (
  rows: ReadonlyArray<SiteEventCountRow>,
  wanted: SiteEventCountRow["type"]
): ReadonlyArray<readonly [subject: string, count: number]> => {
  const counts = new Map<string, number>()
  for (const { type, path, count } of rows) if (type === wanted) addTo(counts, path, count)
  return [...counts]
    .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, maximumSubjects)
}

/** Returns the ratings of pages, by their number of negative ratings. */
const ratingsOf = (rows: ReadonlyArray<SiteEventCountRow>): ReadonlyArray<SiteInsightsRating> => {
  const ratings = new Map<string, SiteInsightsRating>()
  for (const { type, page, path, count } of rows) {
    if (!isRating(type) || page === "") continue
    const { good, bad } = ratings.get(page) ?? { good: 0, bad: 0 }
    ratings.set(page, {
      page,
      path,
      good: good + (type === "rated_good" ? count : 0),
      bad: bad + (type === "rated_bad" ? count : 0)
    })
  }
  return [...ratings.values()]
    .toSorted(
      (one, other) => other.bad - one.bad || other.good - one.good || (one.path < other.path ? -1 : 1)
    )
    .slice(0, maximumSubjects)
}

/** Presents rows of the given days. */
export const presentInsights = (
  days: ReadonlyArray<string>,
  rows: ReadonlyArray<SiteEventCountRow>
): SiteInsights => {
  const byDay = new Map(days.map((day) => [day, 0]))
  const byType = new Map<SiteEventType, number>()
  const byPage = new Map<PageId, number>()
  const paths = new Map<PageId, string>()
  const inOrder = rows.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  for (const { day, type, page, path, count } of inOrder) {
    if (isMissed(type)) continue
    addTo(byType, isRating(type) ? "page_post_feedback" : (type as SiteEventType), count)
    if (type !== "page_view") continue
    addTo(byDay, day, count)
    if (page === "") continue
    addTo(byPage, page, count)
    paths.set(page, path)
  }
  const pages: ReadonlyArray<SiteInsightsPage> = [...byPage]
    .map(([page, views]) => ({ page, path: paths.get(page) ?? "", views }))
    .toSorted((a, b) => b.views - a.views || (a.path < b.path ? -1 : 1))
  return {
    object: "site-insights",
    days: [...byDay].map(([day, views]) => ({ day, views })),
    pages: pages.slice(0, maximumPages),
    events: [...byType]
      .map(([type, count]) => ({ type, count }))
      .toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)),
    ratings: ratingsOf(inOrder),
    searchesWithoutResults: subjectsOf(inOrder, "no_results").map(([query, count]) => ({ query, count })),
    pathsNotFound: subjectsOf(inOrder, "not_found").map(([path, count]) => ({ path, count }))
  }
}
