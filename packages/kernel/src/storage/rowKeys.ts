/** The keys of rows, and the conditions that match rows by their keys. */
import type { PlainRow } from "./RecordsAdapter.ts"
import type { AnyTable, Row } from "./Table.ts"
import type * as Where from "./Where.ts"

/** Returns the value of a column of a key or an order: such columns have scalars only, and no null in a row that is queried. */
const scalarOf = (row: object, column: string): Where.Scalar => (row as PlainRow)[column] as Where.Scalar

/** Returns the values of the key of a row. */
export const keyOf = (table: AnyTable, row: PlainRow): PlainRow =>
  Object.fromEntries(table.key.map((column) => [column, row[column]]))

/** Returns the condition that matches the row with a key. */
export const whereKey = (table: AnyTable, key: object): Where.AnyWhere => {
  const conditions = table.key.map((column) => ({ op: "eq", column, value: scalarOf(key, column) }) as const)
  return conditions.length === 1 ? conditions[0]! : { op: "and", conditions }
}

/** Returns the condition that matches the rows with these keys. */
export const whereKeys = (table: AnyTable, keys: ReadonlyArray<PlainRow>): Where.AnyWhere => {
  const [column, ...others] = table.key
  return column !== undefined && others.length === 0
    ? { op: "in", column, values: keys.map((key) => scalarOf(key, column)) }
    : { op: "or", conditions: keys.map((key) => whereKey(table, key)) }
}

/** Returns the key that a condition names, or undefined if rows with several keys can match. */
export const keyNamedBy = (table: AnyTable, where: Where.AnyWhere): PlainRow | undefined => {
  const conditions = where.op === "and" ? where.conditions : [where]
  const key: { [column: string]: unknown } = {}
  for (const condition of conditions) {
    if (condition.op === "eq" && table.key.includes(condition.column)) key[condition.column] = condition.value
  }
  return table.key.every((column) => key[column] !== undefined) ? key : undefined
}

/** Returns a total order: the columns, followed by the columns of the key that are not among them. */
export const totalOrder = (table: AnyTable, orderBy: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...orderBy,
  ...table.key.filter((column) => !orderBy.includes(column))
]

/** Returns the position of a row in an order, for `FindOptions.after`. */
export const positionOf = <T extends AnyTable>(
  table: T,
  orderBy: ReadonlyArray<keyof Row<T> & string>,
  row: object & Row<T>
): ReadonlyArray<Where.Scalar> => totalOrder(table, orderBy).map((column) => scalarOf(row, column))
