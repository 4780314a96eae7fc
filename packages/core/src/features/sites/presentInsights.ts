/** Presents the counts of the events of a site. */

import type { SiteEventCountRow } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import type { SiteEventType, SiteInsights, SiteInsightsPage } from "@lectern/model/sites"

/** The number of pages in the insights of a site. */
const maximumPages = 100

const addTo = <Key>(sums: Map<Key, number>, key: Key, count: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + count)
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
  for (const { day, type, page, path, count } of rows.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    addTo(byType, type, count)
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
      .toSorted((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
  }
}
