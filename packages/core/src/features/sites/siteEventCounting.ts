/**
 * Counts events of sites in memory, and stores the counts together: events arrive with every page that a visitor opens, and each
 * commit to the store ends the cached responses of sites.
 */

import type { GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  dayMs,
  dayOf,
  eventTypeOf,
  PendingCounts,
  type SiteEventCountRow,
  type SiteRow,
  siteEventCounts,
  sites
} from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteEventType, SiteId } from "@lectern/model/sites"
import { insightRetentionDays } from "@lectern/model/sites"
import { Clock, Effect } from "effect"

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

/** A path that no page has, or a search without results. */
export interface MissedSubject {
  /** The organization of the site. */
  readonly organization: OrganizationId
  /** The site. */
  readonly site: SiteId
  /** Whether it is a path or a search. */
  readonly type: "not_found" | "no_results"
  /** The path without its query, or the search. */
  readonly subject: string
}

/** A rating of a page by a visitor. */
export interface PageRating extends PageView {
  /** Whether the visitor found the page helpful. */
  readonly isGood: boolean
}

/** The maximum length of a path or a search that is stored, in characters. */
const maximumSubject = 200

/** The maximum number of different paths, and of different searches, of a site that are stored per day. */
const maximumSubjects = 200

/** The number of counts of views, and of events that clients report, that wait in memory. */
const maximumPending = 10_000

/**
 * The number of pages of a site that have their own views on a day. Views of further pages are counted together, so that the rows of a
 * period are bounded. These are the pages that were opened first on the day, which are most of the popular ones.
 */
export const maximumPagesPerDay = 250

/** Returns the condition of the rows of a site with the type of a row on its day. */
const whereSameType = ({
  organization,
  site,
  day,
  type
}: SiteEventCountRow): Where.Where<SiteEventCountRow> =>
  Where.and<SiteEventCountRow>(
    Where.and<SiteEventCountRow>(Where.eq("organization", organization), Where.eq("site", site)),
    Where.and<SiteEventCountRow>(Where.eq("day", day), Where.eq("type", type))
  )

const whereSame = (row: SiteEventCountRow): Where.Where<SiteEventCountRow> =>
  Where.and<SiteEventCountRow>(whereSameType(row), Where.eq("page", row.page))

/** Returns the condition of the rows of the pages of a site on a day. */
const wherePages = (row: SiteEventCountRow): Where.Where<SiteEventCountRow> =>
  Where.and<SiteEventCountRow>(whereSameType(row), Where.not(Where.eq<SiteEventCountRow, "page">("page", "")))

const isSubject = ({ type }: SiteEventCountRow): boolean => eventTypeOf(type) === undefined

/** Matches text that can identify a person: an e-mail address, or a long number. */
const personal = /@|\d{6}/

const newCounts = () => new PendingCounts(maximumPending)

/**
 * Returns the rows of sites that exist in their organizations, without the reported ones of sites that require a visitor's token: a client
 * without one has opened no page of them.
 */
const ofKnownSites = (
  records: GrantedRecords,
  rows: ReadonlyArray<SiteEventCountRow>,
  reported: ReadonlySet<SiteEventCountRow>
): Effect.Effect<ReadonlyArray<SiteEventCountRow>, StorageUnavailable> =>
  Effect.map(
    records.find(sites, {
      where: Where.isIn<SiteRow, "id">("id", [...new Set(rows.map(({ site }) => site))]),
      select: ["id", "organization", "visibility"]
    }),
    (known) => {
      const siteOf = new Map(known.map((site) => [site.id, site]))
      return rows.filter((row) => {
        const site = siteOf.get(row.site)
        if (site?.organization !== row.organization) return false
        return site.visibility !== "visitor-auth" || !reported.has(row)
      })
    }
  )

/** Adds a count to its row. Another process can insert the row at the same time. */
const store: (records: GrantedRecords, row: SiteEventCountRow) => Effect.Effect<void, StorageUnavailable> =
  Effect.fnUntraced(function* (
    records: GrantedRecords,
    row: SiteEventCountRow
  ): Effect.fn.Return<void, StorageUnavailable> {
    const addCount = records.update(siteEventCounts, whereSame(row), { path: row.path }, { count: row.count })
    if ((yield* addCount) > 0) return
    if (row.page !== "" && (yield* records.count(siteEventCounts, wherePages(row))) >= maximumPagesPerDay) {
      return yield* store(records, { ...row, page: "", path: "" })
    }
    if ((yield* records.insertMissing(siteEventCounts, [row])) === 0) yield* addCount
  })

/** Returns the rows without the paths and searches that exceed the number of different ones on their day. */
const withoutExcess = Effect.fnUntraced(function* (
  records: GrantedRecords,
  rows: ReadonlyArray<SiteEventCountRow>
): Effect.fn.Return<ReadonlyArray<SiteEventCountRow>, StorageUnavailable> {
  const groups = Map.groupBy(rows.filter(isSubject), ({ organization, site, day, type }) =>
    JSON.stringify([organization, site, day, type])
  )
  const accepted = new Set(rows.filter((row) => !isSubject(row)))
  for (const group of groups.values()) {
    const stored = yield* records.find(siteEventCounts, {
      where: whereSameType(group[0]!),
      select: ["page"],
      limit: maximumSubjects
    })
    const known = new Set<string>(stored.map(({ page }) => page))
    for (const row of group.toSorted((one, other) => other.count - one.count)) {
      if (!known.has(row.page) && known.size >= maximumSubjects) continue
      known.add(row.page)
      accepted.add(row)
    }
  }
  return rows.filter((row) => accepted.has(row))
})

/** Creates the counts of a process. */
export const makeSiteEventCounting = (records: GrantedRecords) => {
  let views = newCounts()
  // Separate from views, because clients without a token report them, also of sites that do not exist.
  let reported = newCounts()

  const rowOf = (event: Omit<SiteEventCountRow, "day">): Effect.Effect<SiteEventCountRow> =>
    Effect.map(Clock.currentTimeMillis, (time) => ({ ...event, day: dayOf(time) }))

  /** Makes room for the events of sites that exist, with one query for 10,000 counts. */
  const removeUnknown = Effect.gen(function* (): Effect.fn.Return<void, StorageUnavailable> {
    const { rows } = reported
    reported = newCounts()
    for (const row of yield* ofKnownSites(records, [...rows], new Set(rows))) reported.add(row)
  })

  /** Stores the counts of this process. Counts that could not be stored remain. */
  const flush = Effect.suspend(() => {
    const untrusted = new Set(reported.rows)
    let waiting = new Set([...views.rows, ...untrusted])
    if (waiting.size === 0) return Effect.void
    views = newCounts()
    reported = newCounts()
    const storeAll = Effect.gen(function* (): Effect.fn.Return<void, StorageUnavailable> {
      const known = yield* withoutExcess(records, yield* ofKnownSites(records, [...waiting], untrusted))
      waiting = new Set(known)
      for (const row of known) {
        yield* store(records, row)
        waiting.delete(row)
      }
    })
    return Effect.ensuring(
      storeAll,
      Effect.sync(() => {
        for (const row of waiting) (untrusted.has(row) ? reported : views).add(row)
      })
    )
  })

  /** Removes counts whose retention has expired. */
  const purge = Effect.flatMap(Clock.currentTimeMillis, (time) =>
    records.remove(
      siteEventCounts,
      Where.lt<SiteEventCountRow, "day">("day", dayOf(time - insightRetentionDays * dayMs))
    )
  )

  return {
    track: Effect.fnUntraced(function* (
      organization: OrganizationId,
      site: SiteId,
      type: SiteEventType,
      count: number,
      isOfVisitor = false
    ): Effect.fn.Return<void, StorageUnavailable> {
      const row = yield* rowOf({ organization, site, type, page: "", path: "", count })
      if (isOfVisitor) return views.add(row)
      if (reported.isFull) yield* removeUnknown
      reported.add(row)
    }),
    recordView: (view: PageView): Effect.Effect<void> =>
      Effect.map(rowOf({ ...view, type: "page_view", count: 1 }), (row) => views.add(row)),
    /** Counts a path that no page has, or a search without results. Text that can identify a person is not counted. */
    recordMissed: ({ organization, site, type, subject }: MissedSubject): Effect.Effect<void> => {
      const text = subject.trim().slice(0, maximumSubject)
      if (text === "" || personal.test(text)) return Effect.void
      const page = sha256Hex(text).slice(0, 30) as PageId
      return Effect.map(rowOf({ organization, site, type, page, path: text, count: 1 }), (row) =>
        views.add(row)
      )
    },
    recordRating: ({ organization, site, page, path, isGood }: PageRating): Effect.Effect<void> =>
      Effect.map(
        rowOf({ organization, site, page, path, type: isGood ? "rated_good" : "rated_bad", count: 1 }),
        (row) => views.add(row)
      ),
    flush,
    purge
  }
}
