/** The state of a store in memory, and what reading and writing make of it: pure functions, as plain as can be. */
import {
  type Change,
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
import { compareAll } from "./compare.ts"
import * as Rows from "./MemoryRows.ts"
import * as MemorySearch from "./MemorySearch.ts"
import * as MemoryWhere from "./MemoryWhere.ts"

/** All rows, by the name of their table. Never changed: writing makes a new one. */
export type State = ReadonlyMap<string, Rows.Rows>

/** What a write came to: another state, or the reason why not. */
export type Written<A> =
  | { readonly _tag: "Done"; readonly state: State; readonly value: A }
  | { readonly _tag: "Refused"; readonly error: UniqueViolation | ReferenceViolation }

/** A store without rows. */
export const empty: State = new Map()

const done = <A>(state: State, value: A): Written<A> => ({ _tag: "Done", state, value })

const refused = (error: UniqueViolation | ReferenceViolation): Written<never> => ({ _tag: "Refused", error })

const rowsOf = (state: State, table: Table.AnyTable): Rows.Rows => state.get(table.name) ?? Rows.empty(table)

const withRows = (state: State, table: Table.AnyTable, rows: Rows.Rows): State =>
  new Map(state).set(table.name, rows)

/** The rows that a condition holds for, in no order. */
export const filter = (state: State, table: Table.AnyTable, where: Where.AnyWhere): ReadonlyArray<PlainRow> =>
  MemoryWhere.filter((of) => rowsOf(state, of), table, where)

/** See `RecordsAdapter.find`. */
export const find = (state: State, table: Table.AnyTable, options: Find): ReadonlyArray<PlainRow> => {
  const order = totalOrder(table, options.orderBy)
  const sign = options.direction === "asc" ? 1 : -1
  const position = (row: PlainRow) => order.map((column) => row[column] as Where.Scalar)
  const { after } = options
  return filter(state, table, options.where)
    .map((row) => ({ row, position: position(row) }))
    .filter(({ position }) => after === undefined || sign * compareAll(position, after) > 0)
    .sort((a, b) => sign * compareAll(a.position, b.position))
    .slice(0, options.limit)
    .map(({ row }) => row)
}

/** See `RecordsAdapter.countBy`. */
export const countBy = (
  state: State,
  table: Table.AnyTable,
  column: string,
  where: Where.AnyWhere
): ReadonlyArray<readonly [Where.Scalar, number]> => {
  const counts = new Map<Where.Scalar, number>()
  for (const row of filter(state, table, where)) {
    const value = row[column] as Where.Scalar | null
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
}

/** See `RecordsAdapter.search`. */
export const search = (state: State, table: Table.AnyTable, search: TextSearch): SearchResult =>
  MemorySearch.search(filter(state, table, search.where), table.fullText!, search)

/** Puts rows into the place of others of the same table, where the table's laws allow it. */
const replace = <A>(
  state: State,
  table: Table.AnyTable,
  old: ReadonlyArray<PlainRow>,
  written: ReadonlyArray<PlainRow>,
  value: A
): Written<A> => {
  const kept = written.map((row) => Rows.kept(table, row))
  const rows = Rows.withMore(table, Rows.without(table, rowsOf(state, table), old), kept)
  if ("_tag" in rows) return refused(rows)
  const next = withRows(state, table, rows)
  for (const [column, reference] of Object.entries(table.references)) {
    if (reference === undefined) continue
    const targets = rowsOf(next, reference.table())
    const refersToNothing = (row: PlainRow) =>
      row[column] !== null && Rows.get(targets, Rows.wordsOf([row[column]])) === undefined
    if (kept.some(refersToNothing)) return refused(new ReferenceViolation({ table: table.name }))
  }
  return done(next, value)
}

/** See `RecordsAdapter.insert`. */
export const insert = (state: State, table: Table.AnyTable, rows: ReadonlyArray<PlainRow>): Written<void> =>
  replace(state, table, [], rows, undefined)

/** See `RecordsAdapter.insertMissing`. Rows are tried one by one, for each may be in the way of those behind it. */
export const insertMissing = (
  state: State,
  table: Table.AnyTable,
  rows: ReadonlyArray<PlainRow>
): Written<number> => {
  const missing: Array<PlainRow> = []
  for (const row of rows) {
    const more = Rows.withMore(table, rowsOf(state, table), [...missing, row])
    if (!("_tag" in more)) missing.push(row)
  }
  return replace(state, table, [], missing, missing.length)
}

/** See `RecordsAdapter.update`. */
export const update = (
  state: State,
  table: Table.AnyTable,
  where: Where.AnyWhere,
  { set, add }: Change
): Written<number> => {
  const found = filter(state, table, where)
  const changed = found.map((row) => {
    const sums = Object.entries(add).map(([column, by]) => [
      column,
      row[column] === null ? null : (row[column] as number) + by
    ])
    return { ...row, ...set, ...Object.fromEntries(sums) }
  })
  return replace(state, table, found, changed, found.length)
}

/** See `RecordsAdapter.next`. */
export const next = (
  state: State,
  table: Table.AnyTable,
  where: Where.AnyWhere,
  column: string
): Written<number | undefined> => {
  const [row] = filter(state, table, where)
  if (row === undefined) return done(state, undefined)
  const number = (row[column] as number) + 1
  return replace(state, table, [row], [{ ...row, [column]: number }], number)
}

/** The rows that refer to some of a table's rows, and what becomes of them when those go. */
const referringTo = (
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

/** See `RecordsAdapter.remove`. */
export const remove = (
  state: State,
  tables: ReadonlyArray<Table.AnyTable>,
  table: Table.AnyTable,
  where: Where.AnyWhere
): Written<number> => {
  const found = filter(state, table, where)
  const going = [[table, found] as readonly [Table.AnyTable, ReadonlyArray<PlainRow>]]
  let left = withRows(state, table, Rows.without(table, rowsOf(state, table), found))
  // What is pushed while it runs has its turn too. A row that went is in `left` no more, so circles end.
  for (const [target, targets] of going) {
    for (const [from, rows] of referringTo(left, tables, target, targets, "cascade")) {
      const rest = rows.filter((row) => Rows.get(rowsOf(left, from), Rows.keyOf(from, row)) !== undefined)
      left = withRows(left, from, Rows.without(from, rowsOf(left, from), rest))
      going.push([from, rest])
    }
  }
  const isKept = going.some(
    ([target, rows]) => referringTo(left, tables, target, rows, "restrict").length > 0
  )
  return isKept ? refused(new ReferenceViolation({ table: table.name })) : done(left, found.length)
}
