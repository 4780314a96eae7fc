/** What a migration does to the schema, as data, and the statements that it comes to in a dialect. */
import type { Table } from "@lectern/core"
import { addColumnText, createIndexText, createTable } from "./Definition.ts"
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
  | { readonly _tag: "Raw"; readonly statements: Readonly<Record<Dialect["name"], ReadonlyArray<string>>> }

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

/** Runs statements of each dialect, for what the other changes do not say: filling a column, a full-text index. */
export const raw = (statements: Readonly<Record<Dialect["name"], ReadonlyArray<string>>>): SchemaChange => ({
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
      return [createIndexText(change)]
    case "Raw":
      return change.statements[dialect.name]
  }
}
