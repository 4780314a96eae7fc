/** The statement of `RecordsAdapter.find`. */
import { type Find, type Table, totalOrder } from "@lectern/kernel"
import { columnList } from "./columnLists.ts"
import type { Dialect } from "./Dialect.ts"
import { quoteName, quoteNames, Statement } from "./Statement.ts"

/** Returns the statement that selects the rows of a query, in order. */
export const findStatement = (
  dialect: Dialect,
  table: Table.AnyTable,
  options: Find
): { readonly statement: Statement; readonly text: string } => {
  const statement = new Statement(dialect)
  const order = totalOrder(table, options.orderBy)
  const [sign, direction] = options.direction === "asc" ? [">", ""] : ["<", " DESC"]
  const columns = options.select === undefined ? columnList(table) : quoteNames(options.select)
  let text = `SELECT ${columns} FROM ${dialect.table(table.name)}`
  text += ` WHERE ${statement.where(table, options.where)}`
  if (options.after !== undefined) {
    text += ` AND (${quoteNames(order)}) ${sign} (${options.after.map((value) => statement.value(value)).join(", ")})`
  }
  text += ` ORDER BY ${order.map((column) => quoteName(column) + direction).join(", ")}`
  if (options.limit !== undefined) text += ` LIMIT ${statement.limit(options.limit)}`
  return { statement, text }
}
