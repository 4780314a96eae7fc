/** The reference semantics of conditions. Logic is two-valued: a comparison with null is false. */
import type { PlainRow, Table, Where } from "@lectern/core"
import { HashMap } from "effect"
import { compareScalars } from "./compare.ts"
import { getRow, groupColumn, groupOf, keyOf, type Rows } from "./MemoryRows.ts"

/** Returns the rows of a table. */
export type GetRows = (table: Table.AnyTable) => Rows

type RowPredicate = (row: PlainRow) => boolean

const compareColumn = (
  column: string,
  value: Where.Scalar,
  holds: (order: number) => boolean
): RowPredicate => {
  return (row) => row[column] !== null && holds(compareScalars(row[column] as Where.Scalar, value))
}

const compileCondition = (getRows: GetRows, where: Where.AnyWhere): RowPredicate => {
  switch (where.op) {
    case "all":
      return () => true
    case "eq":
      return (row) => row[where.column] === where.value
    case "lt":
      return compareColumn(where.column, where.value, (order) => order < 0)
    case "lte":
      return compareColumn(where.column, where.value, (order) => order <= 0)
    case "gt":
      return compareColumn(where.column, where.value, (order) => order > 0)
    case "gte":
      return compareColumn(where.column, where.value, (order) => order >= 0)
    case "in": {
      const values = new Set<unknown>(where.values)
      return (row) => values.has(row[where.column])
    }
    case "contains":
      return (row) => row[where.column] !== null && (row[where.column] as string).includes(where.value)
    case "isNull":
      return (row) => row[where.column] === null
    case "and": {
      const tests = where.conditions.map((condition) => compileCondition(getRows, condition))
      return (row) => tests.every((holds) => holds(row))
    }
    case "or": {
      const tests = where.conditions.map((condition) => compileCondition(getRows, condition))
      return (row) => tests.some((holds) => holds(row))
    }
    case "not": {
      const holds = compileCondition(getRows, where.condition)
      return (row) => !holds(row)
    }
    case "inSelect": {
      const values = new Set(filterRows(getRows, where.table, where.where).map((row) => row[where.select]))
      return (row) => row[where.column] !== null && values.has(row[where.column])
    }
  }
}

/**
 * Returns the key that a condition requires by `eq` on each of its columns, so that no scan is needed; else
 * `undefined`.
 */
const keyInCondition = (table: Table.AnyTable, where: Where.AnyWhere): PlainRow | undefined => {
  const conditions = where.op === "and" ? where.conditions : [where]
  const values = Object.fromEntries(
    conditions.flatMap((condition) => (condition.op === "eq" ? [[condition.column, condition.value]] : []))
  )
  return table.key.every((column) => column in values) ? values : undefined
}

/** Returns the values of the first column of a key of several columns that a condition requires; else `undefined`. */
const groupsInCondition = (
  table: Table.AnyTable,
  where: Where.AnyWhere
): ReadonlyArray<unknown> | undefined => {
  const column = groupColumn(table)
  if (column === undefined) return undefined
  if (where.op === "and") {
    for (const condition of where.conditions) {
      const groups = groupsInCondition(table, condition)
      if (groups !== undefined) return groups
    }
  }
  if (where.op === "eq" && where.column === column) return [where.value]
  return where.op === "in" && where.column === column ? [...new Set(where.values)] : undefined
}

/** Returns the rows among which the rows that match a condition are. */
const candidatesFor = (rows: Rows, table: Table.AnyTable, where: Where.AnyWhere): ReadonlyArray<PlainRow> => {
  const key = keyInCondition(table, where)
  if (key !== undefined) {
    const row = getRow(rows, keyOf(table, key))
    return row === undefined ? [] : [row]
  }
  const groups = groupsInCondition(table, where)
  return groups === undefined
    ? HashMap.toValues(rows.byKey)
    : groups.flatMap((value) => HashMap.toValues(groupOf(rows, value)))
}

/** Returns the rows that match a condition, in no particular order. */
export const filterRows = (
  getRows: GetRows,
  table: Table.AnyTable,
  where: Where.AnyWhere
): ReadonlyArray<PlainRow> =>
  candidatesFor(getRows(table), table, where).filter(compileCondition(getRows, where))
