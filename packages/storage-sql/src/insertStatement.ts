/** The statements of `RecordsAdapter.insert` and `insertMissing`. */
import type { PlainRow, Table } from "@lectern/kernel"
import { columnsOfInsert } from "./columnLists.ts"
import type { Dialect } from "./Dialect.ts"
import { encodeForJson, quoteNames, Statement } from "./Statement.ts"

/** An `INSERT` without a clause for conflicts. */
interface InsertStatement {
  readonly statement: Statement
  readonly text: string
}

const insertOne = (dialect: Dialect, table: Table.AnyTable, row: PlainRow): InsertStatement => {
  const statement = new Statement(dialect)
  const columns = Object.entries(columnsOfInsert(table))
  const values = columns.map(([name, column]) => statement.columnValue(column, row[name]))
  const names = quoteNames(columns.map(([name]) => name))
  const text = `INSERT INTO ${dialect.table(table.name)} (${names}) VALUES (${values.join(", ")})`
  return { statement, text }
}

/**
 * Inserts all rows from one parameter: databases limit the number of parameters, and the rows of one statement can
 * refer to each other.
 */
const insertMany = (
  dialect: Dialect,
  table: Table.AnyTable,
  rows: ReadonlyArray<PlainRow>
): InsertStatement => {
  const statement = new Statement(dialect)
  const inserted = columnsOfInsert(table)
  const columns = Object.entries(inserted)
  const encoded = rows.map((row) =>
    Object.fromEntries(columns.map(([name, column]) => [name, encodeForJson(column, row[name])]))
  )
  const parameter = statement.value(JSON.stringify(encoded))
  const text = `INSERT INTO ${dialect.table(table.name)} (${quoteNames(Object.keys(inserted))}) ${dialect.selectRows(inserted, parameter)}`
  return { statement, text }
}

/** Returns the statement that inserts rows, of which there is at least one. */
export const insertStatement = (
  dialect: Dialect,
  table: Table.AnyTable,
  rows: ReadonlyArray<PlainRow>
): InsertStatement =>
  rows.length === 1 ? insertOne(dialect, table, rows[0]!) : insertMany(dialect, table, rows)
