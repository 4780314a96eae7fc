/** The insights of a site as CSV, for spreadsheets. */
import type { SiteInsights } from "@lectern/client/fetch"

/** A row: what is counted, its name, and its numbers. */
type Row = readonly [kind: string, name: string, count: number, negative?: number]

/** Quotes a cell. A formula is text, because names of searches and paths come from visitors. */
const cellOf = (value: string | number | undefined): string => {
  const text = String(value ?? "")
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns the insights as CSV, with a header. */
export const insightsCsv = (insights: SiteInsights): string => {
  const rows: ReadonlyArray<Row> = [
    ...insights.days.map(({ day, views }): Row => ["day", day, views]),
    ...insights.pages.map(({ path, views }): Row => ["page", `/${path}`, views]),
    ...insights.ratings.map(({ path, good, bad }): Row => ["rating", `/${path}`, good, bad]),
    ...insights.searchesWithoutResults.map(
      ({ query, count }): Row => ["search without results", query, count]
    ),
    ...insights.pathsNotFound.map(({ path, count }): Row => ["path not found", `/${path}`, count]),
    ...insights.events.map(({ type, count }): Row => ["event", type, count])
  ]
  return [
    ["kind", "name", "count", "negative"],
    ...rows.map((row) => [...row, ...(row.length < 4 ? [""] : [])])
  ]
    .map((row) => `${row.map(cellOf).join(",")}\r\n`)
    .join("")
}
