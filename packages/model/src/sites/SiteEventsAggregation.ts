/** Queries that aggregate the events of a published site. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { IsoDateTime, Timestamp, text } from "../schema/Text.ts"
import { SiteEventType } from "./SiteEvent.ts"

const unknownColumn =
  "must be a column that is counted: datetime with the interval day, week or month, url, eventType or eventsCount"

/** The start of a period in UTC. */
class PeriodColumn extends resource<PeriodColumn>()(
  Schema.Struct({
    /** The name of the column: `datetime`. */
    column: Schema.Literal("datetime"),
    /** The length of the periods; `day` by default. */
    interval: Schema.optionalKey(Schema.Literals(["day", "week", "month"]))
  })
) {}

/** A column without options. */
class PlainColumn extends resource<PlainColumn>()(
  Schema.Struct({
    /** The name of the column: the URL of the page, the type of the event, or the number of events. */
    column: Schema.Literals(["url", "eventType", "eventsCount"])
  })
) {}

/**
 * A column of the events of a site. The other columns of the public contract describe visitors, about whom nothing is
 * stored, or properties that are not counted.
 */
export const SiteEventsColumn = Schema.Union([PeriodColumn, PlainColumn]).annotate({
  identifier: "SiteEventsColumn",
  message: unknownColumn
})
/** A column of the events of a site. */
export type SiteEventsColumn = typeof SiteEventsColumn.Type

const few = <S extends Schema.Top>(item: S, max: number) =>
  Schema.Array(item).check(Schema.isMaxLength(max, { message: `must be at most ${max}` }))

/** A filter of events. */
export class SiteEventsFilter extends resource<SiteEventsFilter>()(
  Schema.Struct({
    /** The name of the column: the URL of the page, or the type of the event. */
    column: Schema.Literals(["url", "eventType"]),
    /** The values to compare with, at most 100. */
    values: few(text({ max: 2_048 }), 100),
    /** Whether the value of the event is one of `values`, the default, or none of them. */
    operator: Schema.optionalKey(Schema.Literals(["in", "notIn"]))
  })
) {}

/** A period between two times, by its days in UTC. */
class CustomRange extends resource<CustomRange>()(
  Schema.Struct({
    /** The first time of the range. */
    from: IsoDateTime,
    /** The last time of the range, at most 366 days after the first. */
    to: IsoDateTime
  })
) {}

/** The period of a query: the last days, or between two times. */
export const SiteEventsRange = Schema.Union([
  Schema.Literals(["lastYear", "last3Months", "last30Days", "last7Days", "last24Hours"]),
  CustomRange
])

/** A query that aggregates the events of a site. */
export class AggregateSiteEvents extends resource<AggregateSiteEvents>()(
  Schema.Struct({
    /** The columns of the result, at most 4; `eventsCount` by default. */
    select: Schema.optionalKey(few(SiteEventsColumn, 4)),
    /** The filters, of which an event matches all, at most 10. */
    where: Schema.optionalKey(few(SiteEventsFilter, 10)),
    /** The columns by whose values events are grouped, at most 3. */
    groupBy: Schema.optionalKey(few(SiteEventsColumn, 3)),
    /** The order of the groups; by their values by default. */
    order: Schema.optionalKey(
      Schema.Struct({
        /** The column to order by, one of the result. */
        by: SiteEventsColumn,
        /** The direction of the order. */
        direction: Schema.Literals(["asc", "desc"])
      })
    ),
    /** The period: whole days in UTC. */
    range: SiteEventsRange,
    /** The maximum number of groups, 1 to 1,000, the default. */
    limit: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween({ minimum: 1, maximum: 1_000 }, { message: "must be a whole number from 1 to 1000" })
      )
    )
  }).annotate({ identifier: "AggregateSiteEvents" })
) {}

/** The values of a column, one per group. */
export const SiteEventsValues = Schema.Union([
  Schema.Struct({
    /** The name of the column: `datetime`. */
    column: Schema.Literal("datetime"),
    /** The starts of the periods. */
    values: Schema.Array(Timestamp)
  }),
  Schema.Struct({
    /** The name of the column: `url`. */
    column: Schema.Literal("url"),
    /** The URLs of pages. Events without a page have the URL of the site. */
    values: Schema.Array(Schema.String)
  }),
  Schema.Struct({
    /** The name of the column: `eventType`. */
    column: Schema.Literal("eventType"),
    /** The types of events. */
    values: Schema.Array(SiteEventType)
  }),
  Schema.Struct({
    /** The name of the column: `eventsCount`. */
    column: Schema.Literal("eventsCount"),
    /** The numbers of events. */
    values: Schema.Array(Schema.Int)
  })
]).annotate({ identifier: "SiteEventsValues" })
/** The values of a column, one per group. */
export type SiteEventsValues = typeof SiteEventsValues.Type

/** The aggregated events of a site: columns of equal length. */
export class AggregatedSiteEvents extends resource<AggregatedSiteEvents>()(
  Schema.Struct({
    /** The selected columns, then the columns of the groups that are not among them. */
    columns: Schema.Array(SiteEventsValues)
  }).annotate({ identifier: "AggregatedSiteEvents" })
) {}
