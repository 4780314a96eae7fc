/** Aggregates the counts of the events of a site: groups them by columns, and orders the groups. */

import type {
  AggregatedSiteEvents,
  AggregateSiteEvents,
  SiteEventsColumn,
  SiteEventsValues,
  SiteEventType
} from "@lectern/model/sites"
import { toTimestamp } from "../../time.ts"
import { dayMs, dayOf } from "./days.ts"
import { eventTypeOf, type SiteEventCountRow } from "./siteEventCountTable.ts"

/** The maximum number of days of a query. */
export const maximumRangeDays = 366

/** The numbers of days of the named periods. Counts are per day, so that 24 hours are on two days. */
const daysOf = { lastYear: 366, last3Months: 90, last30Days: 30, last7Days: 7, last24Hours: 2 } as const

/** Returns the first and the last day of a range in UTC, or undefined if it is reversed or too long. */
export const daysOfRange = (
  range: AggregateSiteEvents["range"],
  nowMs: number
): { readonly first: string; readonly last: string } | undefined => {
  if (typeof range === "string") {
    return { first: dayOf(nowMs - (daysOf[range] - 1) * dayMs), last: dayOf(nowMs) }
  }
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)]
  return from > to || to - from > maximumRangeDays * dayMs
    ? undefined
    : { first: dayOf(from), last: dayOf(to) }
}

type Value = string | number

/** Returns the start of the period of a day. Weeks begin on Monday. */
const startOfPeriod = (day: string, interval: "day" | "week" | "month"): string => {
  const date = new Date(`${day}T00:00:00Z`)
  if (interval === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  if (interval === "month") date.setUTCDate(1)
  return toTimestamp(date.getTime())
}

/** The count of an event of the API. */
type EventCount = Omit<SiteEventCountRow, "type"> & { readonly type: SiteEventType }

const valueIn = (column: SiteEventsColumn, { day, type, path }: EventCount, root: string): Value => {
  switch (column.column) {
    case "datetime":
      return startOfPeriod(day, column.interval ?? "day")
    case "url":
      return `${root}${path}`
    case "eventType":
      return type
    case "eventsCount":
      return 0
  }
}

const isSame = (one: SiteEventsColumn, other: SiteEventsColumn): boolean =>
  one.column === other.column &&
  (one.column !== "datetime" ||
    other.column !== "datetime" ||
    (one.interval ?? "day") === (other.interval ?? "day"))

const withoutDuplicates = (columns: ReadonlyArray<SiteEventsColumn>): ReadonlyArray<SiteEventsColumn> =>
  columns.filter((column, index) => columns.findIndex((one) => isSame(one, column)) === index)

const isMeasure = ({ column }: SiteEventsColumn): boolean => column === "eventsCount"

/** Returns the columns of the result: the selected ones, and the columns of the groups. */
export const columnsOf = ({
  select = [{ column: "eventsCount" }],
  groupBy = []
}: AggregateSiteEvents): ReadonlyArray<SiteEventsColumn> => withoutDuplicates([...select, ...groupBy])

/** Returns the index of the column that a query orders by, or -1 if the result does not have it. */
export const orderedColumn = (query: AggregateSiteEvents): number => {
  const { order } = query
  return order === undefined ? -1 : columnsOf(query).findIndex((column) => isSame(column, order.by))
}

const compare = (one: Value | undefined, other: Value | undefined): number =>
  one === other ? 0 : one! < other! ? -1 : 1

const compareAll = (one: ReadonlyArray<Value>, other: ReadonlyArray<Value>): number => {
  for (const [index, value] of one.entries()) {
    const compared = compare(value, other[index])
    if (compared !== 0) return compared
  }
  return 0
}

const toValues = (column: SiteEventsColumn, values: ReadonlyArray<Value>): SiteEventsValues => {
  switch (column.column) {
    case "datetime":
      return { column: "datetime", values: values.map(String) }
    case "url":
      return { column: "url", values: values.map(String) }
    case "eventType":
      return { column: "eventType", values: values as ReadonlyArray<SiteEventType> }
    case "eventsCount":
      return { column: "eventsCount", values: values.map(Number) }
  }
}

/** Orders and limits groups, and presents them by column. */
const presentGroups = (
  query: AggregateSiteEvents,
  columns: ReadonlyArray<SiteEventsColumn>,
  groups: ReadonlyArray<{ readonly values: ReadonlyArray<Value>; readonly count: number }>
): AggregatedSiteEvents => {
  const completed = groups.map(({ values, count }) =>
    columns.map((column, index) => (isMeasure(column) ? count : values[index]!))
  )
  const by = orderedColumn(query)
  const sign = query.order?.direction === "desc" ? -1 : 1
  const dimensions = (group: ReadonlyArray<Value>) => group.filter((_, index) => !isMeasure(columns[index]!))
  const ordered = completed
    .toSorted(
      (one, other) => sign * compare(one[by], other[by]) || compareAll(dimensions(one), dimensions(other))
    )
    .slice(0, query.limit ?? 1_000)
  return {
    columns: columns.map((column, index) =>
      toValues(
        column,
        ordered.map((group) => group[index]!)
      )
    )
  }
}

/** The groups of the counts that were added. */
export interface Aggregation {
  /** Adds counts to their groups. */
  readonly add: (rows: ReadonlyArray<SiteEventCountRow>) => void
  /** Returns the groups in their order. */
  readonly result: () => AggregatedSiteEvents
}

/** Starts to aggregate counts. `root` is the URL of the site. A query without groups results in one value per column. */
export const startAggregation = (query: AggregateSiteEvents, root: string): Aggregation => {
  const columns = columnsOf(query)
  const groups = new Map<string, { readonly values: ReadonlyArray<Value>; count: number }>()
  if (columns.every(isMeasure)) groups.set("[0]", { values: [0], count: 0 })
  const isMatching = (event: EventCount): boolean =>
    (query.where ?? []).every(
      ({ column, values, operator = "in" }) =>
        values.includes(String(valueIn({ column }, event, root))) === (operator === "in")
    )
  return {
    add: (rows) => {
      for (const row of rows) {
        const type = eventTypeOf(row.type)
        const event = type === undefined ? undefined : { ...row, type }
        if (event === undefined || !isMatching(event)) continue
        const values = columns.map((column) => valueIn(column, event, root))
        const key = JSON.stringify(values)
        const group = groups.get(key) ?? { values, count: 0 }
        group.count += event.count
        groups.set(key, group)
      }
    },
    result: () => presentGroups(query, columns, [...groups.values()])
  }
}
