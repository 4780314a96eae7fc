/** How often the pages of a published site are opened, and what visitors do there. */
import * as Schema from "effect/Schema"
import { PageId } from "../content/Page.ts"
import { resource } from "../schema/resource.ts"
import { SiteEventType } from "./SiteEvent.ts"

/** The bounds of the number of days, and its default. */
export const insightDayBounds = { minimum: 1, maximum: 366, default: 30 } as const

/** How long counts of events are retained, in days. */
export const insightRetentionDays = 400

/** The period of the insights of a site. */
export class SiteInsightsQuery extends resource<SiteInsightsQuery>()(
  Schema.Struct({
    /** The number of days, of which today is the last: 1 to 366, 30 by default. Days begin at midnight UTC. */
    days: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween(insightDayBounds, { message: "must be a whole number from 1 to 366" })
      )
    )
  })
) {}

/** Returns the number of days of a query. */
export const insightDays = ({ days = insightDayBounds.default }: SiteInsightsQuery): number => days

/** The events of a site on one day. */
export class SiteInsightsDay extends resource<SiteInsightsDay>()(
  Schema.Struct({
    /** The day in UTC, such as `2026-11-26`. */
    day: Schema.String,
    /** How often pages were opened. */
    views: Schema.Int
  }).annotate({ identifier: "SiteInsightsDay" })
) {}

/** A page of a site that visitors have opened. */
export class SiteInsightsPage extends resource<SiteInsightsPage>()(
  Schema.Struct({
    /** The id of the page, which may have been deleted since. */
    page: PageId,
    /** The path of the page below the root of the site, when it was opened last. */
    path: Schema.String,
    /** How often the page was opened. */
    views: Schema.Int
  }).annotate({ identifier: "SiteInsightsPage" })
) {}

/** How often events of one type have happened. */
export class SiteInsightsEvent extends resource<SiteInsightsEvent>()(
  Schema.Struct({
    /** The type of the events. */
    type: SiteEventType,
    /** Their number. */
    count: Schema.Int
  }).annotate({ identifier: "SiteInsightsEvent" })
) {}

/** The ratings of a page by visitors. */
export class SiteInsightsRating extends resource<SiteInsightsRating>()(
  Schema.Struct({
    /** The id of the page, which may have been deleted since. */
    page: PageId,
    /** The path of the page below the root of the site, when it was rated last. */
    path: Schema.String,
    /** How often visitors found the page helpful. */
    good: Schema.Int,
    /** How often visitors did not find the page helpful. */
    bad: Schema.Int
  }).annotate({ identifier: "SiteInsightsRating" })
) {}

/** A search that found nothing. */
export class SiteInsightsSearch extends resource<SiteInsightsSearch>()(
  Schema.Struct({
    /** The words, at most 200 characters. Searches with an e-mail address or a long number are not counted. */
    query: Schema.String,
    /** How often visitors searched for them. */
    count: Schema.Int
  }).annotate({ identifier: "SiteInsightsSearch" })
) {}

/** A path that visitors opened, and that no page has. */
export class SiteInsightsPath extends resource<SiteInsightsPath>()(
  Schema.Struct({
    /** The path below the root of the site, without its query: at most 200 characters. */
    path: Schema.String,
    /** How often visitors opened it. */
    count: Schema.Int
  }).annotate({ identifier: "SiteInsightsPath" })
) {}

/** The events of a site in a period. Views are counted without cookies and without data of visitors. */
export class SiteInsights extends resource<SiteInsights>()(
  Schema.Struct({
    /** The type of the object. */
    object: Schema.Literal("site-insights"),
    /** Every day of the period, the first one first. */
    days: Schema.Array(SiteInsightsDay),
    /** The pages that were opened most, at most 100, the first one first. */
    pages: Schema.Array(SiteInsightsPage),
    /** The numbers of events by type, the most frequent one first. */
    events: Schema.Array(SiteInsightsEvent),
    /** The ratings of pages, at most 100, by their number of negative ratings. */
    ratings: Schema.Array(SiteInsightsRating),
    /** The most frequent searches without results, at most 100. */
    searchesWithoutResults: Schema.Array(SiteInsightsSearch),
    /** The paths that visitors opened most often and that no page has, at most 100. */
    pathsNotFound: Schema.Array(SiteInsightsPath)
  }).annotate({ identifier: "SiteInsights" })
) {}
