import { daysOfRange, type SiteEventCountRow, startAggregation } from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import { type AggregateSiteEvents, SiteEventType, SiteId } from "@lectern/model/sites"
import { Schema } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const row = fc.record({
  organization: fc.constant(OrganizationId.make("acme")),
  site: fc.constant(SiteId.make("docs")),
  day: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, "0")}`),
  type: fc.constantFrom("page_view" as const, "search_open" as const, "link_click" as const),
  page: fc.constant("" as const),
  path: fc.constantFrom("", "install", "guide/start"),
  count: fc.nat(1_000)
})

const column = fc.constantFrom(
  { column: "datetime" as const, interval: "day" as const },
  { column: "datetime" as const, interval: "week" as const },
  { column: "datetime" as const, interval: "month" as const },
  { column: "url" as const },
  { column: "eventType" as const }
)

const aggregateEvents = (
  query: AggregateSiteEvents,
  rows: ReadonlyArray<SiteEventCountRow>,
  root: string
) => {
  const aggregation = startAggregation(query, root)
  aggregation.add(rows)
  return aggregation.result()
}

const root = "https://docs.example.com/"

const sumOf = (rows: ReadonlyArray<SiteEventCountRow>) => rows.reduce((sum, { count }) => sum + count, 0)

it("counts every event in exactly one group", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.array(column, { maxLength: 3 }), (rows, groupBy) => {
      const query: AggregateSiteEvents = { range: "lastYear", select: [{ column: "eventsCount" }], groupBy }
      const { columns } = aggregateEvents(query, rows, root)
      const [counts, ...dimensions] = columns
      expect(counts!.values.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(sumOf(rows))
      expect(new Set(columns.map(({ values }) => values.length)).size).toBe(1)
      const keys = counts!.values.map((_, index) =>
        JSON.stringify(dimensions.map(({ values }) => values[index]))
      )
      expect(new Set(keys).size).toBe(keys.length)
    })
  )
})

it("partitions the events by a filter and its negation", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const total = (operator: "in" | "notIn") => {
        const where = [{ column: "eventType" as const, values: ["page_view"], operator }]
        const { columns } = aggregateEvents({ range: "lastYear", where }, rows, root)
        return Number(columns[0]!.values[0])
      }
      expect(total("in") + total("notIn")).toBe(sumOf(rows))
    })
  )
})

it("rejects a reversed range and one of more than 366 days", () => {
  const now = Date.parse("2026-02-28T12:00:00Z")
  const range = (from: string, to: string) => daysOfRange({ from, to }, now)
  expect(range("2026-02-02T00:00:00.000Z", "2026-02-01T00:00:00.000Z")).toBeUndefined()
  expect(range("2025-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z")).toBeUndefined()
  expect(range("2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z")).toEqual({
    first: "2026-02-01",
    last: "2026-02-02"
  })
})

// Ratings are events for the API, and neither a path that no page has nor a search without results is one.
it("counts the events of the API, and no other counts", () => {
  const other = fc.record({
    row,
    type: fc.constantFrom(
      "rated_good" as const,
      "rated_bad" as const,
      "not_found" as const,
      "no_results" as const
    )
  })
  fc.assert(
    fc.property(fc.array(row), fc.array(other), (events, others) => {
      const counted = others.map((one) => ({ ...one.row, type: one.type }))
      const query: AggregateSiteEvents = {
        range: "lastYear",
        select: [{ column: "eventsCount" }],
        groupBy: [{ column: "eventType" }]
      }
      const { columns } = aggregateEvents(query, [...events, ...counted], root)
      const [counts, types] = columns
      const ratings = counted.filter(({ type }) => type === "rated_good" || type === "rated_bad")
      expect(counts!.values.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(
        sumOf(events) + sumOf(ratings)
      )
      const isType = Schema.is(SiteEventType)
      expect(types!.values.filter((type) => !isType(type))).toEqual([])
      expect(types!.values.some((type) => type === "page_post_feedback")).toBe(ratings.length > 0)
    })
  )
})
