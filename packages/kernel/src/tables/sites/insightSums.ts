/** Presents the counts of the events of a site. */

import type { PageId } from "@lectern/model/content"
import type { SiteEventType, SiteInsights, SiteInsightsPage } from "@lectern/model/sites"
import type { SiteEventCountRow } from "./siteEventCountTable.ts"

/** The number of pages in the insights of a site. */
const maximumPages = 100

const addTo = <Key>(sums: Map<Key, number>, key: Key, count: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + count)
}

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
}

/** Creates the sums of the given days. */
export const emptySums = (days: ReadonlyArray<string>): InsightSums => ({
  byDay: new Map(days.map((day) => [day, 0])),
  byType: new Map(),
  byPage: new Map(),
  paths: new Map()
})

/** Adds rows to sums, in the order of their days. */
export const addRows = (
  { byDay, byType, byPage, paths }: InsightSums,
  rows: ReadonlyArray<SiteEventCountRow>
): void => {
  for (const { day, type, page, path, count } of rows) {
    addTo(byType, type, count)
    if (type !== "page_view") continue
    addTo(byDay, day, count)
    if (page === "") continue
    addTo(byPage, page, count)
    paths.set(page, path)
  }
}

/** Presents sums. */
export const presentInsights = ({ byDay, byType, byPage, paths }: InsightSums): SiteInsights => {
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
