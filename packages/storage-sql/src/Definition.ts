/** Generates `CREATE TABLE`, `CREATE INDEX` and `ALTER TABLE` statements from table declarations. */
import { type Table, totalOrder } from "@lectern/kernel"
import type { Dialect } from "./Dialect.ts"
import { encodeValue, quoteName, quoteNames } from "./Statement.ts"

/** The maximum length of a name, in characters. PostgreSQL truncates longer names. */
const maxNameLength = 63

/** Returns the statements that create a table and its indexes. The tables that it refers to must exist. */
export const createTableStatements = (dialect: Dialect, table: Table.AnyTable): ReadonlyArray<string> => {
  const columns = Object.entries(table.columns).map(
    ([name, column]) => `${quoteName(name)} ${columnType(dialect, column)}`
  )
  const references = Object.entries(table.references).flatMap(([column, reference]) =>
    reference === undefined
      ? []
      : [`FOREIGN KEY (${quoteName(column)}) ${referenceClause(dialect, reference)}`]
  )
  const parts = [...columns, `PRIMARY KEY (${quoteNames(table.key)})`, ...references]
  return [
    `CREATE TABLE ${dialect.table(table.name)} (${parts.join(", ")})${tableOptionsOf(dialect, table)}`,
    ...tableIndexes(table).map((index) => createIndexStatement(dialect, index)),
    ...(table.fullText === undefined ? [] : dialect.createFullText(table, table.fullText))
  ]
}

const tableOptionsOf = (dialect: Dialect, table: Table.AnyTable): string => {
  if (hasGeneratedKey(table)) return dialect.generatedKey.tableOptions
  return table.fullText === undefined ? dialect.tableOptions : dialect.fullTextTableOptions
}

/** An index of a table; `table` is without the prefix. */
export interface Index {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly unique: boolean
}

/** Returns the unique and the other indexes of a table, without the one of its primary key. */
export const tableIndexes = (table: Table.AnyTable): ReadonlyArray<Index> => [
  ...table.unique.map((columns) => ({ table: table.name, columns, unique: true })),
  ...table.indexes.map((columns) => ({
    table: table.name,
    columns: orderedIndexColumns(table, columns),
    unique: false
  }))
]

/** Returns the name of an index, without the prefix. */
export const indexName = ({ table, columns }: Index): string => [table, ...columns].join("_")

/**
 * Returns the columns of a declared index. They end with the table's key, so that the index has the total order of a
 * list.
 */
export const orderedIndexColumns = (
  table: Table.AnyTable,
  columns: ReadonlyArray<string>
): ReadonlyArray<string> => totalOrder(table, columns)

const hasGeneratedKey = (table: Table.AnyTable): boolean => table.columns[table.key[0]!]?.generated === true

const columnType = (dialect: Dialect, { kind, nullable, generated }: Table.Column<unknown>): string =>
  `${dialect.columnType(kind)}${nullable ? "" : " NOT NULL"}${generated === true ? dialect.generatedKey.columnOptions : ""}`

const referenceClause = (dialect: Dialect, reference: Table.Reference): string => {
  const target = reference.table()
  const action = reference.onRemove === "cascade" ? "ON DELETE CASCADE" : dialect.onDeleteRestrict
  return `REFERENCES ${dialect.table(target.name)} (${quoteNames(target.key)}) ${action}`
}

/** Returns the statement that creates an index. Throws if its name is too long. */
export const createIndexStatement = (dialect: Dialect, index: Index): string => {
  const name = indexName(index)
  // PostgreSQL truncates longer names without an error, and two indexes could get the same name.
  if (name.length > maxNameLength) {
    throw new Error(
      `The index name \`${name}\` has ${name.length} characters; the maximum is ${maxNameLength}. Shorten the names of the table or the columns.`
    )
  }
  const kind = index.unique ? "UNIQUE INDEX" : "INDEX"
  return `CREATE ${kind} ${dialect.index(name)} ON ${dialect.table(index.table)} (${quoteNames(index.columns)})`
}

/** Returns the statement that adds a column, with `backfill` as the value of existing rows. */
export const addColumnStatement = (
  dialect: Dialect,
  change: {
    readonly table: string
    readonly name: string
    readonly column: Table.Column<unknown>
    readonly backfill: unknown
    readonly reference: Table.Reference | undefined
  }
): string => {
  const value = dialect.literal(encodeValue(change.column, change.backfill))
  const reference = change.reference === undefined ? "" : ` ${referenceClause(dialect, change.reference)}`
  const type = columnType(dialect, change.column)
  return `ALTER TABLE ${dialect.table(change.table)} ADD COLUMN ${quoteName(change.name)} ${type} DEFAULT ${value}${reference}`
}
