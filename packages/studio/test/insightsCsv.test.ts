/** The insights of a site as CSV. */
import { expect, it } from "vitest"
import { insightsCsv } from "../src/screens/sites/insightsCsv.ts"

const insights: Parameters<typeof insightsCsv>[0] = {
  object: "site-insights",
  days: [{ day: "2026-11-27", views: 6 }],
  pages: [{ page: "p", path: "quickstart", views: 4 }],
  events: [{ type: "page_view", count: 6 }],
  ratings: [{ page: "p", path: "quickstart", good: 2, bad: 1 }],
  searchesWithoutResults: [
    { query: '=cmd|"x", y', count: 3 },
    { query: "-1", count: 1 }
  ],
  pathsNotFound: [{ path: "old/page", count: 2 }]
}

it("has a row for each number, and no formula that visitors have written", () => {
  expect(insightsCsv(insights).split("\r\n")).toEqual([
    "kind,name,count,negative",
    "day,2026-11-27,6,",
    "page,/quickstart,4,",
    "rating,/quickstart,2,1",
    `search without results,"'=cmd|""x"", y",3,`,
    "search without results,'-1,1,",
    "path not found,/old/page,2,",
    "event,page_view,6,",
    ""
  ])
})
