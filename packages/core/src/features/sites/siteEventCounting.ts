/**
 * Counts events of sites in memory, and stores the counts together: events arrive with every page that a visitor opens, and each
 * commit to the store ends the cached responses of sites.
 */

import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteEventType, SiteId } from "@lectern/model/sites"
import { insightRetentionDays } from "@lectern/model/sites"
import { Clock, Effect } from "effect"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { toTimestamp } from "../../kernel/time.ts"
import { type SiteEventCountRow, siteEventCounts } from "../../tables/sites/siteEventCountTable.ts"
import { type SiteRow, sites } from "../../tables/sites/siteTable.ts"

/** A page of a published site that a visitor has opened. */
export interface PageView {
  /** The organization of the site. */
  readonly organization: OrganizationId
  /** The site. */
  readonly site: SiteId
  /** The page. */
  readonly page: PageId
  /** The path of the page below the root of the site. */
  readonly path: string
}

/** The number of counts that wait in memory. Further ones are not counted: clients can name sites that do not exist. */
const maximumPending = 10_000

const dayMs = 24 * 60 * 60 * 1_000

/** Returns the day of a time, in UTC. */
export const dayOf = (timeMs: number): string => toTimestamp(timeMs).slice(0, "2026-01-01".length)

/** Returns the last days up to a time, the first one first. */
export const lastDays = (timeMs: number, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => dayOf(timeMs - (count - 1 - index) * dayMs))

const whereSame = (row: SiteEventCountRow): Where.Where<SiteEventCountRow> =>
  Where.and<SiteEventCountRow>(
    Where.and<SiteEventCountRow>(Where.eq("organization", row.organization), Where.eq("site", row.site)),
    Where.and<SiteEventCountRow>(Where.eq("day", row.day), Where.eq("type", row.type)),
    Where.eq("page", row.page)
  )

/** Creates the counts of a process. */
export const makeSiteEventCounting = (records: GrantedRecords) => {
  let pending = new Map<string, SiteEventCountRow>()

  const add = (event: Omit<SiteEventCountRow, "day" | "count">, count: number): Effect.Effect<void> =>
    Effect.map(Clock.currentTimeMillis, (time) => {
      const day = dayOf(time)
      const key = JSON.stringify([event.organization, event.site, day, event.type, event.page])
      const before = pending.get(key)?.count
      if (before === undefined && pending.size >= maximumPending) return
      pending.set(key, { ...event, day, count: (before ?? 0) + count })
    })

  /** Adds a count to its row. Another process can insert the row at the same time. */
  const store = Effect.fnUntraced(function* (
    row: SiteEventCountRow
  ): Effect.fn.Return<void, StorageUnavailable> {
    const addCount = records.update(siteEventCounts, whereSame(row), { path: row.path }, { count: row.count })
    if ((yield* addCount) > 0) return
    if ((yield* records.insertMissing(siteEventCounts, [row])) === 0) yield* addCount
  })

  /** Stores the counts of this process. Counts that could not be stored remain. */
  const flush = Effect.gen(function* (): Effect.fn.Return<void, StorageUnavailable> {
    const rows = [...pending.values()]
    if (rows.length === 0) return
    pending = new Map()
    const known = yield* records.find(sites, {
      where: Where.isIn<SiteRow, "id">("id", [...new Set(rows.map(({ site }) => site))]),
      select: ["id", "organization"]
    })
    const organizationOf = new Map(known.map(({ id, organization }) => [id, organization]))
    for (const row of rows) {
      if (organizationOf.get(row.site) === row.organization) yield* store(row)
    }
  })

  /** Removes counts whose retention has expired. */
  const purge = Effect.flatMap(Clock.currentTimeMillis, (time) =>
    records.remove(
      siteEventCounts,
      Where.lt<SiteEventCountRow, "day">("day", dayOf(time - insightRetentionDays * dayMs))
    )
  )

  return {
    track: (organization: OrganizationId, site: SiteId, type: SiteEventType, count: number) =>
      add({ organization, site, type, page: "", path: "" }, count),
    recordView: (view: PageView) => add({ ...view, type: "page_view" }, 1),
    flush,
    purge
  }
}
