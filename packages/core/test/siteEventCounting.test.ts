/** Counts of site events that wait in memory, when the store is unavailable. */

import type { GrantedRecords } from "@lectern/core"
import { StorageUnavailable } from "@lectern/kernel"
import { PendingCounts, type SiteEventCountRow } from "@lectern/kernel/tables"
import { PageId } from "@lectern/model/content"
import { OrganizationId } from "@lectern/model/organizations"
import { SiteId } from "@lectern/model/sites"
import { Effect } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import { makeSiteEventCounting, maximumPagesPerDay } from "../src/features/sites/siteEventCounting.ts"

it("stores each count once, also after a store was unavailable", async () => {
  const organization = OrganizationId.make("01m83ghra0000gpwgfbdt8nr3djq6g")
  const site = SiteId.make("01m83ghra0000gpwgfbdt8nr3djq6h")
  const stored: Array<SiteEventCountRow> = []
  let calls = 0
  const records = {
    find: () => Effect.succeed([{ id: site, organization }]),
    update: () => Effect.succeed(0),
    count: () => Effect.succeed(0),
    insertMissing: (_table: unknown, [row]: ReadonlyArray<SiteEventCountRow>) => {
      calls += 1
      if (calls === 2) return Effect.fail(new StorageUnavailable({ reason: "Unreachable", detail: "disk" }))
      stored.push(row!)
      return Effect.succeed(1)
    }
  } as unknown as GrantedRecords
  const counting = makeSiteEventCounting(records)
  const pages = ["3djq6a", "3djq6b", "3djq6c"].map((end) => PageId.make(`${organization.slice(0, -6)}${end}`))
  for (const page of pages) {
    await Effect.runPromise(counting.recordView({ organization, site, page, path: "" }))
  }
  await Effect.runPromise(counting.track(organization, site, "link_click", 1))
  await Effect.runPromise(Effect.flip(counting.flush))
  expect(stored.length).toBe(1)
  await Effect.runPromise(counting.recordView({ organization, site, page: pages[1]!, path: "" }))
  await Effect.runPromise(counting.flush)
  await Effect.runPromise(counting.flush)
  expect(stored.map(({ page, type, count }) => [page, type, count]).toSorted()).toEqual(
    [
      [pages[0], "page_view", 1],
      [pages[1], "page_view", 2],
      [pages[2], "page_view", 1],
      ["", "link_click", 1]
    ].toSorted()
  )
})

const organizationOf = (index: number) =>
  OrganizationId.make(`01m83ghra0000gpwgfbdt8nr3d${String(index).padStart(4, "0")}`)
const siteOf = (index: number) => SiteId.make(`01m83ghra0000gpwgfbdt8nr3e${String(index).padStart(4, "0")}`)
const pageOf = (index: number) => PageId.make(`01m83ghra0000gpwgfbdt8n${String(index).padStart(7, "0")}`)

const viewsOf = (organization: number, count: number): ReadonlyArray<SiteEventCountRow> =>
  Array.from({ length: count }, (_, index) => ({
    organization: organizationOf(organization),
    site: siteOf(organization),
    day: "2026-11-26",
    type: "page_view" as const,
    page: pageOf(index),
    path: "",
    count: 1
  }))

it("shares the counts in memory fairly between organizations, in any order of their views", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 8 }),
      fc.integer(),
      (wanted, seed) => {
        const maximum = 60
        const counts = new PendingCounts(maximum)
        const views = wanted.flatMap((count, index) => viewsOf(index, count))
        const order = views
          .map((row, index) => [(Math.imul(index + 1, seed | 1) >>> 0) % 9_973, row] as const)
          .toSorted(([one], [other]) => one - other)
        for (const [, row] of order) counts.add(row)
        const held = wanted.map(
          (_, index) =>
            counts.rows.filter(({ organization }) => organization === organizationOf(index)).length
        )
        expect(counts.size).toBe(Math.min(maximum, views.length))
        // An organization lacks a count only if no other one has more than one count more than it.
        for (const [index, count] of held.entries()) {
          if (count < wanted[index]!) expect(Math.max(...held)).toBeLessThanOrEqual(count + 1)
        }
      }
    )
  )
})

it("counts the views of further pages of a day together", async () => {
  const stored = new Map<string, number>()
  const records = {
    find: () => Effect.succeed([{ id: siteOf(1), organization: organizationOf(1) }]),
    update: () => Effect.succeed(0),
    count: () => Effect.sync(() => stored.size),
    insertMissing: (_table: unknown, [row]: ReadonlyArray<SiteEventCountRow>) => {
      stored.set(row!.page, (stored.get(row!.page) ?? 0) + row!.count)
      return Effect.succeed(1)
    }
  } as unknown as GrantedRecords
  const counting = makeSiteEventCounting(records)
  for (const row of viewsOf(1, maximumPagesPerDay + 20)) {
    const { organization, site, path } = row
    await Effect.runPromise(counting.recordView({ organization, site, page: row.page as PageId, path }))
  }
  await Effect.runPromise(counting.flush)
  expect([stored.size, stored.get("")]).toEqual([maximumPagesPerDay + 1, 20])
})
