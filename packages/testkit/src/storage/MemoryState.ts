/** The state of the in-memory store, with the verbs of `RecordsAdapter` as pure functions over it. */
import {
  type Change,
  type Claim,
  type Find,
  type PlainRow,
  ReferenceViolation,
  type SearchResult,
  type Table,
  type TextSearch,
  totalOrder,
  type UniqueViolation,
  type Where
} from "@lectern/core"
import { HashMap } from "effect"
import { comparePositions } from "./compare.ts"
import * as Rows from "./MemoryRows.ts"
import * as MemorySearch from "./MemorySearch.ts"
import * as MemoryWhere from "./MemoryWhere.ts"

/** All rows, by table name. Immutable: a write returns a new state. */
export type State = ReadonlyMap<string, Rows.Rows>

/** The result of a write: the next state and the value of the verb, or the violated constraint. */
export type WriteResult<A> =
  | { readonly _tag: "Written"; readonly state: State; readonly value: A }
  | { readonly _tag: "Rejected"; readonly error: UniqueViolation | ReferenceViolation }

/** The state of a store without rows. */
export const emptyState: State = new Map()

const succeed = <A>(state: State, value: A): WriteResult<A> => ({ _tag: "Written", state, value })

const reject = (error: UniqueViolation | ReferenceViolation): WriteResult<never> => ({
  _tag: "Rejected",
  error
})

const rowsOf = (state: State, table: Table.AnyTable): Rows.Rows =>
  state.get(table.name) ?? Rows.emptyRows(table)

const withRows = (state: State, table: Table.AnyTable, rows: Rows.Rows): State =>
  new Map(state).set(table.name, rows)

/** Returns the rows that match a condition, in no particular order. */
export const filterRows = (
  state: State,
  table: Table.AnyTable,
  where: Where.AnyWhere
): ReadonlyArray<PlainRow> => MemoryWhere.filterRows((of) => rowsOf(state, of), table, where)

/** Implements `RecordsAdapter.find`. */
export const find = (state: State, table: Table.AnyTable, options: Find): ReadonlyArray<PlainRow> => {
  const order = totalOrder(table, options.orderBy)
  const sign = options.direction === "asc" ? 1 : -1
  const position = (row: PlainRow) => order.map((column) => row[column] as Where.Scalar)
  const { after } = options
  return filterRows(state, table, options.where)
    .map((row) => ({ row, position: position(row) }))
    .filter(({ position }) => after === undefined || sign * comparePositions(position, after) > 0)
    .sort((a, b) => sign * comparePositions(a.position, b.position))
    .slice(0, options.limit)
    .map(({ row }) => row)
}

/** Implements `RecordsAdapter.countBy`. */
export const countBy = (
  state: State,
  table: Table.AnyTable,
  column: string,
  where: Where.AnyWhere
): ReadonlyArray<readonly [Where.Scalar, number]> => {
  const counts = new Map<Where.Scalar, number>()
  for (const row of filterRows(state, table, where)) {
    const value = row[column] as Where.Scalar | null
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
}

/** Implements `RecordsAdapter.search`. */
export const search = (state: State, table: Table.AnyTable, search: TextSearch): SearchResult =>
  MemorySearch.searchRows(
    filterRows(state, table, {
      op: "and",
      conditions: [{ op: "in", column: table.fullText!.scope, values: search.scopes }, search.where]
    }),
    table.fullText!,
    search
  )

/** Replaces rows of a table by others, unless that violates its unique constraints or its references. */
const replaceRows = <A>(
  state: State,
  table: Table.AnyTable,
  old: ReadonlyArray<PlainRow>,
  written: ReadonlyArray<PlainRow>,
  value: A
): WriteResult<A> => {
  const stored = written.map((row) => Rows.toStoredRow(table, row))
  const rows = Rows.addRows(table, Rows.removeRows(table, rowsOf(state, table), old), stored)
  if ("_tag" in rows) return reject(rows)
  const next = withRows(state, table, rows)
  for (const [column, reference] of Object.entries(table.references)) {
    if (reference === undefined) continue
    const targets = rowsOf(next, reference.table())
    const hasMissingTarget = (row: PlainRow) =>
      row[column] !== null && Rows.getRow(targets, Rows.serializeValues([row[column]])) === undefined
    if (stored.some(hasMissingTarget)) return reject(new ReferenceViolation({ table: table.name }))
  }
  return succeed(next, value)
}

/** Returns rows with the next numbers in the generated column of the table, if it has one. */
const generateKeys = (
  state: State,
  table: Table.AnyTable,
  rows: ReadonlyArray<PlainRow>
): ReadonlyArray<PlainRow> => {
  const [column] = table.key
  if (column === undefined || table.columns[column]?.generated !== true) return rows
  const { lastGenerated } = rowsOf(state, table)
  return rows.map((row, index) => ({ ...row, [column]: lastGenerated + 1 + index }))
}

/** Implements `RecordsAdapter.insert`. */
export const insert = (
  state: State,
  table: Table.AnyTable,
  rows: ReadonlyArray<PlainRow>
): WriteResult<void> => replaceRows(state, table, [], generateKeys(state, table, rows), undefined)

/** Implements `RecordsAdapter.insertMissing`. Rows are inserted one by one, as each may conflict with later ones. */
export const insertMissing = (
  state: State,
  table: Table.AnyTable,
  rows: ReadonlyArray<PlainRow>
): WriteResult<number> => {
  const missing: Array<PlainRow> = []
  for (const row of generateKeys(state, table, rows)) {
    const more = Rows.addRows(table, rowsOf(state, table), [...missing, row])
    if (!("_tag" in more)) missing.push(row)
  }
  return replaceRows(state, table, [], missing, missing.length)
}

/** Returns a changed copy of a row. */
const changeRow = (row: PlainRow, { set, add }: Change): PlainRow => {
  const sums = Object.entries(add).map(([column, by]) => [
    column,
    row[column] === null ? null : (row[column] as number) + by
  ])
  return { ...row, ...set, ...Object.fromEntries(sums) }
}

/** Implements `RecordsAdapter.update`. */
export const update = (
  state: State,
  table: Table.AnyTable,
  where: Where.AnyWhere,
  change: Change
): WriteResult<number> => {
  const found = filterRows(state, table, where)
  const changed = found.map((row) => changeRow(row, change))
  return replaceRows(state, table, found, changed, found.length)
}

/** Implements `RecordsAdapter.claim`. */
export const claim = (
  state: State,
  table: Table.AnyTable,
  { where, orderBy, limit }: Claim,
  change: Change
): WriteResult<ReadonlyArray<PlainRow>> => {
  const found = find(state, table, { where, orderBy, limit, direction: "asc" })
  const changed = found.map((row) => changeRow(row, change))
  return replaceRows(state, table, found, changed, changed)
}

/** Implements `RecordsAdapter.next`. */
export const next = (
  state: State,
  table: Table.AnyTable,
  where: Where.AnyWhere,
  column: string
): WriteResult<number | undefined> => {
  const [row] = filterRows(state, table, where)
  if (row === undefined) return succeed(state, undefined)
  const number = (row[column] as number) + 1
  return replaceRows(state, table, [row], [{ ...row, [column]: number }], number)
}

/** Returns the rows that reference the `targets`, by table, through references with this `onRemove` behavior. */
const findReferringRows = (
  state: State,
  tables: ReadonlyArray<Table.AnyTable>,
  target: Table.AnyTable,
  targets: ReadonlyArray<PlainRow>,
  onRemove: Table.Reference["onRemove"]
): ReadonlyArray<readonly [Table.AnyTable, ReadonlyArray<PlainRow>]> => {
  const values = new Set(targets.map((row) => row[target.key[0]!]))
  return tables.flatMap((table) =>
    Object.entries(table.references).flatMap(([column, reference]) => {
      if (reference === undefined || reference.onRemove !== onRemove) return []
      if (reference.table().name !== target.name) return []
      const rows = HashMap.toValues(rowsOf(state, table).byKey).filter((row) => values.has(row[column]))
      return rows.length === 0 ? [] : [[table, rows] as const]
    })
  )
}

/** Implements `RecordsAdapter.remove`. */
export const remove = (
  state: State,
  tables: ReadonlyArray<Table.AnyTable>,
  table: Table.AnyTable,
  where: Where.AnyWhere
): WriteResult<number> => {
  const found = filterRows(state, table, where)
  const removed = [[table, found] as readonly [Table.AnyTable, ReadonlyArray<PlainRow>]]
  let remaining = withRows(state, table, Rows.removeRows(table, rowsOf(state, table), found))
  // The loop also visits entries pushed while it runs. A removed row is no longer in `remaining`, so cycles terminate.
  for (const [target, targets] of removed) {
    for (const [from, rows] of findReferringRows(remaining, tables, target, targets, "cascade")) {
      const rest = rows.filter(
        (row) => Rows.getRow(rowsOf(remaining, from), Rows.keyOf(from, row)) !== undefined
      )
      remaining = withRows(remaining, from, Rows.removeRows(from, rowsOf(remaining, from), rest))
      removed.push([from, rest])
    }
  }
  const isRestricted = removed.some(
    ([target, rows]) => findReferringRows(remaining, tables, target, rows, "restrict").length > 0
  )
  return isRestricted
    ? reject(new ReferenceViolation({ table: table.name }))
    : succeed(remaining, found.length)
}
