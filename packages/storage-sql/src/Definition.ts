/** Definitions of tables in SQL, from their declarations. */
import type { Table } from "@lectern/core"
import type { Dialect } from "./Dialect.ts"
import { names, quote } from "./Statement.ts"

/** The statements that make a table, its unique sets and its indexes. The tables that it refers to are there. */
export const createTable = (dialect: Dialect, table: Table.AnyTable): ReadonlyArray<string> => {
  const columns = Object.entries(table.columns).map(
    ([name, { kind, nullable }]) => `${quote(name)} ${dialect.columnType(kind)}${nullable ? "" : " NOT NULL"}`
  )
  const references = Object.entries(table.references).flatMap(([column, reference]) => {
    if (reference === undefined) return []
    const target = reference.table()
    // NO ACTION is RESTRICT that looks at the end of a statement: rows that go together may refer to each other.
    const action = reference.onRemove === "cascade" ? "CASCADE" : "NO ACTION"
    return [
      `FOREIGN KEY (${quote(column)}) REFERENCES ${quote(target.name)} (${names(target.key)}) ON DELETE ${action}`
    ]
  })
  const parts = [...columns, `PRIMARY KEY (${names(table.key)})`, ...references]
  return [
    `CREATE TABLE ${quote(table.name)} (${parts.join(", ")})${dialect.tableOptions}`,
    ...table.unique.map((set) => createIndex("UNIQUE INDEX", table, set)),
    ...table.indexes.map((set) => createIndex("INDEX", table, set))
  ]
}

const createIndex = (
  kind: "INDEX" | "UNIQUE INDEX",
  table: Table.AnyTable,
  columns: ReadonlyArray<string>
): string =>
  `CREATE ${kind} ${quote([table.name, ...columns].join("_"))} ON ${quote(table.name)} (${names(columns)})`
