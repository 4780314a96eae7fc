/** The columns of tables, as statements list them. */
import type { Table } from "@lectern/kernel"
import { quoteNames } from "./Statement.ts"

const columnLists = new WeakMap<Table.AnyTable, string>()

/** Returns the quoted and comma-separated columns of a table, cached by table. */
export const columnList = (table: Table.AnyTable): string => {
  const cached = columnLists.get(table)
  if (cached !== undefined) return cached
  const text = quoteNames(Object.keys(table.columns))
  columnLists.set(table, text)
  return text
}

const insertedColumns = new WeakMap<Table.AnyTable, Table.Columns>()

/** Returns the columns of a table that an `INSERT` lists, cached by table: all except generated ones. */
export const columnsOfInsert = (table: Table.AnyTable): Table.Columns => {
  const cached = insertedColumns.get(table)
  if (cached !== undefined) return cached
  const columns = Object.fromEntries(
    Object.entries(table.columns).filter(([, { generated }]) => generated !== true)
  )
  insertedColumns.set(table, columns)
  return columns
}
