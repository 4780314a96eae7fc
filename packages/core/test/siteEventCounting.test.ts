/** Counts of site events that wait in memory, when the store is unavailable. */

import { StorageUnavailable } from "@lectern/kernel"
import type { SiteEventCountRow } from "@lectern/kernel/tables"
import { PageId } from "@lectern/model/content"
import { OrganizationId } from "@lectern/model/organizations"
import { SiteId } from "@lectern/model/sites"
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { GrantedRecords } from "../src/access/grants/Grant.ts"
import { makeSiteEventCounting } from "../src/features/sites/siteEventCounting.ts"

it("stores each count once, also after a store was unavailable", async () => {
  const organization = OrganizationId.make("01m83ghra0000gpwgfbdt8nr3djq6g")
  const site = SiteId.make("01m83ghra0000gpwgfbdt8nr3djq6h")
  const stored: Array<SiteEventCountRow> = []
  let calls = 0
  const records = {
    find: () => Effect.succeed([{ id: site, organization }]),
    update: () => Effect.succeed(0),
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
