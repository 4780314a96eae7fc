/** Definitions in SQL, from declarations. */
import { type Table, totalOrder } from "@lectern/core"
import type { Dialect } from "./Dialect.ts"
import { encode, names, quote } from "./Statement.ts"

/** The longest name, in characters, that PostgreSQL does not cut off. */
const longestName = 63

/** The statements that make a table, its unique sets and its indexes. The tables that it refers to are there. */
export const createTable = (dialect: Dialect, table: Table.AnyTable): ReadonlyArray<string> => {
  const columns = Object.entries(table.columns).map(
    ([name, column]) => `${quote(name)} ${columnType(dialect, column)}`
  )
  const references = Object.entries(table.references).flatMap(([column, reference]) =>
    reference === undefined ? [] : [`FOREIGN KEY (${quote(column)}) ${referenceText(dialect, reference)}`]
  )
  const parts = [...columns, `PRIMARY KEY (${names(table.key)})`, ...references]
  return [
    `CREATE TABLE ${dialect.table(table.name)} (${parts.join(", ")})${dialect.tableOptions}`,
    ...indexesOf(table).map((index) => createIndexText(dialect, index)),
    ...(table.fullText === undefined ? [] : dialect.fullText(table, table.fullText))
  ]
}

/** An index of a table. */
export interface Index {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly unique: boolean
}

/** The unique sets and the indexes of a table. */
export const indexesOf = (table: Table.AnyTable): ReadonlyArray<Index> => [
  ...table.unique.map((columns) => ({ table: table.name, columns, unique: true })),
  ...table.indexes.map((columns) => ({
    table: table.name,
    columns: indexColumns(table, columns),
    unique: false
  }))
]

/** The name of an index, without the prefix. */
export const indexName = ({ table, columns }: Index): string => [table, ...columns].join("_")

/** What an index of a declaration holds: the key too, so that it has the total order of a list. */
export const indexColumns = (table: Table.AnyTable, columns: ReadonlyArray<string>): ReadonlyArray<string> =>
  totalOrder(table, columns)

const columnType = (dialect: Dialect, { kind, nullable }: Table.Column<unknown>): string =>
  `${dialect.columnType(kind)}${nullable ? "" : " NOT NULL"}`

const referenceText = (dialect: Dialect, reference: Table.Reference): string => {
  const target = reference.table()
  const action = reference.onRemove === "cascade" ? "ON DELETE CASCADE" : dialect.restrict
  return `REFERENCES ${dialect.table(target.name)} (${names(target.key)}) ${action}`
}

/** The statement that makes an index. */
export const createIndexText = (dialect: Dialect, index: Index): string => {
  const name = indexName(index)
  // PostgreSQL would cut it off in silence, and two indexes could end up with one name.
  if (name.length > longestName)
    throw new Error(`The name of the index ${name} is over ${longestName} characters.`)
  const kind = index.unique ? "UNIQUE INDEX" : "INDEX"
  return `CREATE ${kind} ${dialect.index(name)} ON ${dialect.table(index.table)} (${names(index.columns)})`
}

/** The statement that adds a column. */
export const addColumnText = (
  dialect: Dialect,
  change: {
    readonly table: string
    readonly name: string
    readonly column: Table.Column<unknown>
    readonly rows: unknown
    readonly reference: Table.Reference | undefined
  }
): string => {
  const value = dialect.literal(encode(change.column, change.rows))
  const reference = change.reference === undefined ? "" : ` ${referenceText(dialect, change.reference)}`
  const type = columnType(dialect, change.column)
  return `ALTER TABLE ${dialect.table(change.table)} ADD COLUMN ${quote(change.name)} ${type} DEFAULT ${value}${reference}`
}
