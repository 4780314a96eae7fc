/** Reads the contents of a store as text, and compares them. */
import { type PlainRow, RecordsAdapter, type Table, tables as workspaceTables } from "@lectern/core"
import type { Fault } from "@lectern/testkit"
import { Effect } from "effect"
import { Base64 } from "effect/encoding"

/** The rows of each table as lines of JSON, in the order of their keys, by table name. */
export type StoreContents = ReadonlyMap<string, ReadonlyArray<string>>

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortKeys(inner)])
  )
}

const serializeRow = (table: Table.AnyTable, row: PlainRow): string =>
  JSON.stringify(
    Object.keys(table.columns)
      .sort()
      .map((name) => {
        const value = row[name]
        return [name, value instanceof Uint8Array ? Base64.encode(value) : sortKeys(value)]
      })
  )

/**
 * The workspace tables without the tables of events: events are numbered at any time, and repeated jobs add some. The findings
 * of a workspace compare the events with the other tables.
 */
const comparedTables = workspaceTables.filter(({ name }) => name !== "events" && name !== "outboxEvents")

/** Reads all rows of all tables, by default of the workspace tables without the tables of events. */
export const readContents = (
  tables: ReadonlyArray<Table.AnyTable> = comparedTables
): Effect.Effect<StoreContents, Fault.StepError, RecordsAdapter> =>
  Effect.gen(function* () {
    const adapter = yield* RecordsAdapter
    const all = new Map<string, ReadonlyArray<string>>()
    for (const table of tables) {
      const rows = yield* adapter.find(table, { where: { op: "all" }, orderBy: table.key, direction: "asc" })
      all.set(
        table.name,
        rows.map((row) => serializeRow(table, row))
      )
    }
    return all
  })

/** Returns contents without the audit log, which has a record of each execution. */
export const withoutAuditLog = (contents: StoreContents): StoreContents =>
  new Map([...contents].filter(([table]) => table !== "auditRecords"))

/** The maximum number of differences that are reported. */
const maxReported = 6

/**
 * Returns the rows that only `one` (`-`) or only `other` (`+`) contains, a line each, up to six; empty if they are
 * equal.
 */
export const diffContents = (one: StoreContents, other: StoreContents): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const [table, rows] of one) {
    const others = other.get(table) ?? []
    const [has, hasOther] = [new Set(rows), new Set(others)]
    for (const row of rows) if (!hasOther.has(row)) lines.push(`- ${table} ${row}`)
    for (const row of others) if (!has.has(row)) lines.push(`+ ${table} ${row}`)
  }
  return lines.length <= maxReported
    ? lines
    : [...lines.slice(0, maxReported), `and ${lines.length - maxReported} more`]
}
