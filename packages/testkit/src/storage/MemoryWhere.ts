/** What conditions mean, as plain as can be. Logic has two values: comparing with null is false. */
import type { PlainRow, Table, Where } from "@lectern/core"
import { HashMap } from "effect"
import { compare } from "./compare.ts"
import { get, keyOf, type Rows } from "./MemoryRows.ts"

/** Gives the rows of a table. */
export type RowsOf = (table: Table.AnyTable) => Rows

type Test = (row: PlainRow) => boolean

const compared = (column: string, value: Where.Scalar, holds: (order: number) => boolean): Test => {
  return (row) => row[column] !== null && holds(compare(row[column] as Where.Scalar, value))
}

const test = (rowsOf: RowsOf, where: Where.AnyWhere): Test => {
  switch (where.op) {
    case "all":
      return () => true
    case "eq":
      return (row) => row[where.column] === where.value
    case "lt":
      return compared(where.column, where.value, (order) => order < 0)
    case "lte":
      return compared(where.column, where.value, (order) => order <= 0)
    case "gt":
      return compared(where.column, where.value, (order) => order > 0)
    case "gte":
      return compared(where.column, where.value, (order) => order >= 0)
    case "in": {
      const values = new Set<unknown>(where.values)
      return (row) => values.has(row[where.column])
    }
    case "contains":
      return (row) => row[where.column] !== null && (row[where.column] as string).includes(where.value)
    case "isNull":
      return (row) => row[where.column] === null
    case "and": {
      const tests = where.conditions.map((condition) => test(rowsOf, condition))
      return (row) => tests.every((holds) => holds(row))
    }
    case "or": {
      const tests = where.conditions.map((condition) => test(rowsOf, condition))
      return (row) => tests.some((holds) => holds(row))
    }
    case "not": {
      const holds = test(rowsOf, where.condition)
      return (row) => !holds(row)
    }
    case "inSelect": {
      const values = new Set(filter(rowsOf, where.table, where.where).map((row) => row[where.select]))
      return (row) => row[where.column] !== null && values.has(row[where.column])
    }
  }
}

/** The one row that a condition can hold for, as it names all columns of the key; `undefined` where it does not. */
const named = (table: Table.AnyTable, where: Where.AnyWhere): PlainRow | undefined => {
  const conditions = where.op === "and" ? where.conditions : [where]
  const values = Object.fromEntries(
    conditions.flatMap((condition) => (condition.op === "eq" ? [[condition.column, condition.value]] : []))
  )
  return table.key.every((column) => column in values) ? values : undefined
}

/** The rows that a condition holds for, in no order. */
export const filter = (
  rowsOf: RowsOf,
  table: Table.AnyTable,
  where: Where.AnyWhere
): ReadonlyArray<PlainRow> => {
  const rows = rowsOf(table)
  const key = named(table, where)
  const row = key === undefined ? undefined : get(rows, keyOf(table, key))
  const candidates = key === undefined ? HashMap.toValues(rows.byKey) : row === undefined ? [] : [row]
  return candidates.filter(test(rowsOf, where))
}
