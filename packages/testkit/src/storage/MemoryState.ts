/** The state of a store in memory, and what reading and writing make of it: pure functions, as plain as can be. */
import {
  type Change,
  type Find,
  type PlainRow,
  ReferenceViolation,
  type Table,
  totalOrder,
  UniqueViolation,
  type Where
} from "@lectern/core"
import { compare, compareAll } from "./compare.ts"

type Rows = ReadonlyMap<string, PlainRow>

/** All rows, by table and by key. Never changed: writing makes a new one. */
export type State = ReadonlyMap<string, Rows>

/** What a write came to: another state, or the reason why not. */
export type Written<A> =
  | { readonly _tag: "Done"; readonly state: State; readonly value: A }
  | { readonly _tag: "Refused"; readonly error: UniqueViolation | ReferenceViolation }

/** A store without rows. */
export const empty: State = new Map()

const done = <A>(state: State, value: A): Written<A> => ({ _tag: "Done", state, value })

const rowsOf = (state: State, table: Table.AnyTable): Rows => state.get(table.name) ?? new Map()

const keyOf = (table: Table.AnyTable, row: PlainRow): string =>
  JSON.stringify(table.key.map((column) => row[column]))

const withRows = (state: State, table: Table.AnyTable, rows: Rows): State =>
  new Map(state).set(table.name, rows)

/** Whether a condition holds for a row. Comparing with null is false. */
const holds = (state: State, where: Where.AnyWhere, row: PlainRow): boolean => {
  switch (where.op) {
    case "all":
      return true
    case "eq":
      return row[where.column] === where.value
    case "lt":
    case "lte":
    case "gt":
    case "gte": {
      const value = row[where.column]
      if (value === null) return false
      const order = compare(value as Where.Scalar, where.value)
      return { lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 }[where.op]
    }
    case "in":
      return where.values.includes(row[where.column] as Where.Scalar)
    case "contains":
      return row[where.column] !== null && (row[where.column] as string).includes(where.value)
    case "isNull":
      return row[where.column] === null
    case "and":
      return where.conditions.every((condition) => holds(state, condition, row))
    case "or":
      return where.conditions.some((condition) => holds(state, condition, row))
    case "not":
      return !holds(state, where.condition, row)
    case "inSelect":
      return (
        row[where.column] !== null &&
        filter(state, where.table, where.where).some((other) => other[where.select] === row[where.column])
      )
  }
}

/** The rows that a condition holds for, in no order. */
export const filter = (state: State, table: Table.AnyTable, where: Where.AnyWhere): ReadonlyArray<PlainRow> =>
  [...rowsOf(state, table).values()].filter((row) => holds(state, where, row))

/** See `RecordsAdapter.find`. */
export const find = (state: State, table: Table.AnyTable, options: Find): ReadonlyArray<PlainRow> => {
  const order = totalOrder(table, options.orderBy)
  const sign = options.direction === "asc" ? 1 : -1
  const position = (row: PlainRow) => order.map((column) => row[column] as Where.Scalar)
  const { after } = options
  return filter(state, table, options.where)
    .filter((row) => after === undefined || sign * compareAll(position(row), after) > 0)
    .sort((a, b) => sign * compareAll(position(a), position(b)))
    .slice(0, options.limit)
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

/** Puts rows into a table, new ones and changed ones, where the table's laws allow it. */
const put = (
  state: State,
  table: Table.AnyTable,
  rows: Map<string, PlainRow>,
  written: ReadonlyArray<PlainRow>
): State | UniqueViolation | ReferenceViolation => {
  for (const columns of table.unique) {
    const seen = new Set<string>()
    for (const row of rows.values()) {
      const values = columns.map((column) => row[column])
      if (values.includes(null)) continue
      const text = JSON.stringify(values)
      if (seen.has(text)) return new UniqueViolation({ table: table.name })
      seen.add(text)
    }
  }
  const next = withRows(state, table, rows)
  for (const [column, reference] of Object.entries(table.references)) {
    if (reference === undefined) continue
    const target = reference.table()
    const refersToNothing = (row: PlainRow) =>
      row[column] !== null && !rowsOf(next, target).has(JSON.stringify([row[column]]))
    if (written.some(refersToNothing)) return new ReferenceViolation({ table: table.name })
  }
  return next
}

/** See `RecordsAdapter.insert`. */
export const insert = (
  state: State,
  table: Table.AnyTable,
  added: ReadonlyArray<PlainRow>
): Written<void> => {
  const rows = new Map(rowsOf(state, table))
  for (const row of added) {
    const key = keyOf(table, row)
    if (rows.has(key)) return { _tag: "Refused", error: new UniqueViolation({ table: table.name }) }
    rows.set(key, row)
  }
  const next = put(state, table, rows, added)
  return next instanceof Map ? done(next, undefined) : { _tag: "Refused", error: next as UniqueViolation }
}

/** See `RecordsAdapter.update`. */
export const update = (
  state: State,
  table: Table.AnyTable,
  where: Where.AnyWhere,
  change: Change
): Written<number> => {
  const rows = new Map(rowsOf(state, table))
  const changed = filter(state, table, where).map((row) => {
    const sums = Object.entries(change.add).map(([column, by]) => {
      const value = row[column] as number | null
      return [column, value === null ? null : value + by]
    })
    return { ...row, ...change.set, ...Object.fromEntries(sums) }
  })
  for (const row of changed) rows.set(keyOf(table, row), row)
  const next = put(state, table, rows, changed)
  return next instanceof Map
    ? done(next, changed.length)
    : { _tag: "Refused", error: next as UniqueViolation }
}

/** See `RecordsAdapter.remove`. */
export const remove = (
  state: State,
  tables: ReadonlyArray<Table.AnyTable>,
  table: Table.AnyTable,
  where: Where.AnyWhere
): Written<number> => {
  const found = filter(state, table, where)
  let next: State = state
  const going: Array<readonly [Table.AnyTable, PlainRow]> = found.map((row) => [table, row])
  const restricted: Array<readonly [Table.AnyTable, string, unknown]> = []
  for (let i = 0; i < going.length; i++) {
    const [from, row] = going[i]!
    const key = keyOf(from, row)
    if (!rowsOf(next, from).has(key)) continue
    const rows = new Map(rowsOf(next, from))
    rows.delete(key)
    next = withRows(next, from, rows)
    for (const other of tables) {
      for (const [column, reference] of Object.entries(other.references)) {
        if (reference === undefined || reference.table() !== from) continue
        const value = row[from.key[0]!]
        if (reference.onRemove === "restrict") restricted.push([other, column, value])
        else
          for (const child of rowsOf(next, other).values())
            if (child[column] === value) going.push([other, child])
      }
    }
  }
  const isLeft = restricted.some(([other, column, value]) =>
    [...rowsOf(next, other).values()].some((row) => row[column] === value)
  )
  return isLeft
    ? { _tag: "Refused", error: new ReferenceViolation({ table: table.name }) }
    : done(next, found.length)
}

/** See `RecordsAdapter.next`. */
export const next = (
  state: State,
  table: Table.AnyTable,
  key: PlainRow,
  column: string
): Written<number | undefined> => {
  const row = rowsOf(state, table).get(keyOf(table, key))
  if (row === undefined) return done(state, undefined)
  const number = (row[column] as number) + 1
  const rows = new Map(rowsOf(state, table)).set(keyOf(table, row), { ...row, [column]: number })
  return done(withRows(state, table, rows), number)
}
