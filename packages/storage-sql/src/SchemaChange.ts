/** What a migration does to the schema, as data, and the statements that it comes to in a dialect. */
import type { Table } from "@lectern/core"
import { addColumnText, createIndexText, createTable, indexesOf, indexName } from "./Definition.ts"
import type { Dialect } from "./Dialect.ts"

/** One change of the schema. Make it with the functions of this module. */
export type SchemaChange =
  | { readonly _tag: "CreateTable"; readonly table: Table.AnyTable }
  | {
      readonly _tag: "AddColumn"
      readonly table: string
      readonly name: string
      readonly column: Table.Column<unknown>
      readonly rows: unknown
      readonly reference: Table.Reference | undefined
    }
  | {
      readonly _tag: "CreateIndex"
      readonly table: string
      readonly columns: ReadonlyArray<string>
      readonly unique: boolean
    }
  | { readonly _tag: "Raw"; readonly statements: RawStatements }

/**
 * Statements of each dialect. A function receives `table`, which returns a table's quoted name with the schema or the
 * prefix that the store is configured with; statements that name tables without it only work in a store without either.
 */
export type RawStatements = Readonly<
  Record<
    Dialect["name"],
    ReadonlyArray<string> | ((table: (name: string) => string) => ReadonlyArray<string>)
  >
>

/** Makes a table with all that its declaration says. Tables that it refers to come before it. */
export const makeTable = (table: Table.AnyTable): SchemaChange => ({ _tag: "CreateTable", table })

/**
 * Adds a column. Rows that are there get the value `rows`, which may be left out for a column that can be null;
 * rows to come have to bring theirs.
 */
export const addColumn = (
  table: string,
  name: string,
  column: Table.Column<unknown>,
  options: { readonly rows?: unknown; readonly reference?: Table.Reference } = {}
): SchemaChange => ({
  _tag: "AddColumn",
  table,
  name,
  column,
  rows: options.rows ?? null,
  reference: options.reference
})

/**
 * Adds an index on these columns, in this order. One that serves a list ends with the table's key, as the indexes of
 * a declaration do by themselves: it holds the whole order of the list then.
 */
export const addIndex = (table: string, columns: ReadonlyArray<string>): SchemaChange => ({
  _tag: "CreateIndex",
  table,
  columns,
  unique: false
})

/** Adds a unique set. The migration fails where rows that are there break it. */
export const addUnique = (table: string, columns: ReadonlyArray<string>): SchemaChange => ({
  _tag: "CreateIndex",
  table,
  columns,
  unique: true
})

/**
 * Runs statements of each dialect, for what the other changes do not cover, such as filling a column.
 *
 * @example
 * const fill = (table: (name: string) => string) => [`UPDATE ${table("teams")} SET "folded" = LOWER("title")`]
 * raw({ sqlite: fill, postgres: fill })
 */
export const raw = (statements: RawStatements): SchemaChange => ({
  _tag: "Raw",
  statements
})

/** The statements of a change. */
export const statementsOf = (dialect: Dialect, change: SchemaChange): ReadonlyArray<string> => {
  switch (change._tag) {
    case "CreateTable":
      return createTable(dialect, change.table)
    case "AddColumn":
      return [addColumnText(dialect, change)]
    case "CreateIndex":
      return [createIndexText(dialect, change)]
    case "Raw": {
      const statements = change.statements[dialect.name]
      return typeof statements === "function" ? statements(dialect.table) : statements
    }
  }
}

/** The names of the tables and indexes that a change creates, without the prefix. */
export const createdNames = (dialect: Dialect, change: SchemaChange): ReadonlyArray<string> => {
  switch (change._tag) {
    case "CreateTable": {
      const { table } = change
      const fullText = table.fullText === undefined ? [] : dialect.fullTextNames(table.name)
      return [table.name, ...indexesOf(table).map(indexName), ...fullText]
    }
    case "CreateIndex":
      return [indexName(change)]
    case "AddColumn":
    case "Raw":
      return []
  }
}
