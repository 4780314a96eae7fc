/** The operations on the events of published sites. */

import {
  type AccessError,
  anonymousVisitor,
  type Caller,
  CurrentUser,
  type GrantedReader,
  type Operation,
  Operations,
  type Query,
  SystemGrant,
  VisitorAccess
} from "@lectern/access"
import { makeLinkBase, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  addRows,
  daysOfRange,
  emptySums,
  eventTypeOf,
  lastDays,
  maximumRangeDays,
  orderedColumn,
  presentInsights,
  rootOf,
  type SiteEventCountRow,
  siteEventCounts,
  startAggregation
} from "@lectern/kernel/tables"
import { InvalidInput } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  type AggregatedSiteEvents,
  AggregateSiteEvents,
  insightDays,
  SiteId,
  type SiteInsights,
  SiteInsightsQuery,
  TrackSiteEvents
} from "@lectern/model/sites"
import { Clock, Context, Effect, Layer, Metric, Option } from "effect"
import { isHidden } from "./SiteEditing.ts"
import {
  type MissedSubject,
  makeSiteEventCounting,
  type PageRating,
  type PageView
} from "./siteEventCounting.ts"
import { loadSpacesOnSite } from "./structureStore.ts"

/** Operations on the events of published sites. Counts are stored within minutes, without data of visitors. */
export interface SiteEventsOperations {
  /**
   * Counts the events that pages of a site report, by type, for `insights` and in the metric `lectern_site_events`. It
   * runs without a user, and succeeds for every id, so that it does not reveal which sites exist. Events of a site with the visibility
   * `visitor-auth` count only with the token of a visitor whom it admits.
   */
  readonly track: Operation<
    { organization: OrganizationId; site: SiteId; input: TrackSiteEvents },
    void,
    StorageUnavailable,
    never
  >
  /**
   * Returns the counts of the last days. Fails with `NotFound` for a site that the caller cannot see. If the caller cannot see a space on
   * the site, it names no pages, paths and searches; the same applies to `aggregate`.
   */
  readonly insights: Query<
    { organization: OrganizationId; site: SiteId; input?: SiteInsightsQuery },
    SiteInsights,
    AccessError
  >
  /**
   * Aggregates the counts of a period of at most 366 days: groups them by period, URL and type of event. Fails with `InvalidInput`
   * for a longer or reversed period, and for an order by a column that is not in the result.
   */
  readonly aggregate: Query<
    { organization: OrganizationId; site: SiteId; input: AggregateSiteEvents },
    AggregatedSiteEvents,
    AccessError
  >
  /** Counts that a visitor has opened a page. Readers call it. */
  readonly recordView: (view: PageView) => Effect.Effect<void>
  /** Counts that a visitor has opened a path that no page has, or has found nothing. Readers call it. */
  readonly recordMissed: (subject: MissedSubject) => Effect.Effect<void>
  /** Counts the rating of a page by a visitor. Readers call it. */
  readonly recordRating: (rating: PageRating) => Effect.Effect<void>
  /** Stores the counts that wait in this process. */
  readonly flush: Effect.Effect<void, StorageUnavailable>
  /** Removes counts that are older than 400 days, and returns the number of rows. */
  readonly purge: Effect.Effect<number, StorageUnavailable>
}

/** The number of rows that one query of insights reads. */
const rowsPerQuery = 5_000

/** Reads counts by their keys. The counts of a period are bounded, but too many for one query: a day has some for each of 250 pages. */
const eachCounts = Effect.fnUntraced(function* (
  records: GrantedReader,
  where: Where.Where<SiteEventCountRow>,
  use: (rows: ReadonlyArray<SiteEventCountRow>) => void
): Effect.fn.Return<void, StorageUnavailable> {
  let last: SiteEventCountRow | undefined
  do {
    const after = last && [last.organization, last.site, last.day, last.type, last.page]
    const rows = yield* records.find(siteEventCounts, {
      where,
      limit: rowsPerQuery,
      ...(after === undefined ? {} : { after })
    })
    use(rows)
    last = rows.length < rowsPerQuery ? undefined : rows.at(-1)
  } while (last !== undefined)
})

/**
 * Returns the function that removes hidden content from counts. Paths, pages and searches do not name their space: they are
 * removed if any space on the site is hidden from the caller, and their numbers remain.
 */
const visibleCounts = Effect.fnUntraced(function* (
  records: GrantedReader,
  site: SiteId,
  caller: Caller
): Effect.fn.Return<
  (rows: ReadonlyArray<SiteEventCountRow>) => ReadonlyArray<SiteEventCountRow>,
  StorageUnavailable
> {
  const spaces = yield* loadSpacesOnSite(records, site)
  if (![...spaces.values()].some((space) => isHidden(caller, space))) return (rows) => rows
  return (rows) =>
    rows
      .filter(({ type }) => eventTypeOf(type) !== undefined)
      .map((row) => ({ ...row, page: "" as const, path: "" }))
})

const siteEvents = Metric.counter("lectern_site_events", {
  description: "The number of events that pages of published sites have reported, by type.",
  incremental: true
})

const updateMetric = (type: string) => Metric.update(Metric.withAttributes(siteEvents, { type }), 1)

const makeSiteEvents = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const { grant, records: system } = yield* SystemGrant.make("Counts events of published sites.")
  const linkBase = yield* makeLinkBase
  const counting = makeSiteEventCounting(system)
  const visitors = yield* VisitorAccess

  /** Whether the caller is a visitor with credentials that the site admits. */
  const isAdmitted = Effect.fnUntraced(function* (organization: OrganizationId, site: SiteId) {
    const { visitor } = Option.getOrElse(yield* Effect.serviceOption(CurrentUser), () => anonymousVisitor)
    if (visitor === undefined || visitor === "anonymous") return false
    if (visitor.organization !== organization || visitor.site !== site) return false
    return (yield* visitors.admitEveryone(visitor, visitor)) !== undefined
  })
  // A server that stops stores its counts. A store that is unavailable then has lost them.
  yield* Effect.addFinalizer(() => Effect.ignore(counting.flush))

  return {
    track: query(
      "SiteEvents.track",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: TrackSiteEvents },
        authorize: {
          rule: { kind: "visitor", why: "counts events of pages, and returns nothing" },
          check: () => Effect.succeed({ grant })
        }
      },
      function* ({ organization, site, input: { events } }) {
        const isOfVisitor = yield* isAdmitted(organization, site)
        for (const { type } of events) {
          yield* counting.track(organization, site, type, 1, isOfVisitor)
          yield* updateMetric(type)
        }
      }
    ),

    insights: query(
      "SiteEvents.insights",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: SiteInsightsQuery },
        authorize: allow.site("view")
      },
      function* ({ input = {} }, { site, caller, records }) {
        const days = lastDays(yield* Clock.currentTimeMillis, insightDays(input))
        const where = Where.and<SiteEventCountRow>(
          Where.eq("organization", site.organization),
          Where.eq("site", site.id),
          Where.gte("day", days[0]!)
        )
        const sums = emptySums(days)
        const visible = yield* visibleCounts(records, site.id, caller)
        yield* eachCounts(records, where, (rows) => addRows(sums, visible(rows)))
        return presentInsights(sums)
      }
    ),

    aggregate: query(
      "SiteEvents.aggregate",
      {
        parameters: { organization: OrganizationId, site: SiteId, input: AggregateSiteEvents },
        authorize: allow.site("view")
      },
      function* ({ input }, { site, caller, records }) {
        const days = daysOfRange(input.range, yield* Clock.currentTimeMillis)
        if (days === undefined) {
          return yield* InvalidInput.at("range", `must be a period of at most ${maximumRangeDays} days`)
        }
        if (input.order !== undefined && orderedColumn(input) < 0) {
          return yield* InvalidInput.at("order.by", "must be one of the columns of `select` and `groupBy`")
        }
        const where = Where.and<SiteEventCountRow>(
          Where.and<SiteEventCountRow>(
            Where.eq("organization", site.organization),
            Where.eq("site", site.id)
          ),
          Where.gte("day", days.first),
          Where.lte("day", days.last)
        )
        const aggregation = startAggregation(input, rootOf(yield* linkBase, site))
        const visible = yield* visibleCounts(records, site.id, caller)
        yield* eachCounts(records, where, (rows) => aggregation.add(visible(rows)))
        return aggregation.result()
      }
    ),

    recordView: (view: PageView) => Effect.andThen(counting.recordView(view), updateMetric("page_view")),
    recordMissed: (subject: MissedSubject) => counting.recordMissed(subject),
    recordRating: (rating: PageRating) =>
      Effect.andThen(counting.recordRating(rating), updateMetric("page_post_feedback")),
    flush: counting.flush,
    purge: counting.purge
  }
})

/** Operations on the events of published sites: see {@link SiteEventsOperations}. */
export class SiteEvents extends Context.Service<SiteEvents, SiteEventsOperations>()(
  "@lectern/core/SiteEvents"
) {
  static readonly layer: Layer.Layer<SiteEvents, never, Records | Operations | VisitorAccess> = Layer.effect(
    SiteEvents,
    makeSiteEvents
  )
}
