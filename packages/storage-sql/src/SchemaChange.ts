/** Changes of the schema, as data, and their translation into the statements of a dialect. */
import type { Table } from "@lectern/kernel"
import {
  addColumnStatement,
  createIndexStatement,
  createTableStatements,
  indexName,
  tableIndexes
} from "./Definition.ts"
import type { Dialect, DialectFamily } from "./Dialect.ts"
import { quoteName } from "./Statement.ts"

/** One change of the schema. Create it with the functions of this module. */
export type SchemaChange =
  | { readonly _tag: "CreateTable"; readonly table: Table.AnyTable }
  | {
      readonly _tag: "AddColumn"
      readonly table: string
      readonly name: string
      readonly column: Table.Column<unknown>
      readonly backfill: unknown
      readonly reference: Table.Reference | undefined
    }
  | {
      readonly _tag: "CreateIndex"
      readonly table: string
      readonly columns: ReadonlyArray<string>
      readonly unique: boolean
    }
  | { readonly _tag: "DropIndex"; readonly table: string; readonly columns: ReadonlyArray<string> }
  | { readonly _tag: "LimitIndex"; readonly table: string; readonly columns: ReadonlyArray<string> }
  | { readonly _tag: "Raw"; readonly statements: RawStatements }

/**
 * Statements for each family of dialects. A function receives `table`, which returns a table's quoted name with the schema or the
 * prefix that the store is configured with. Statements that do not use it only work in a store that has neither.
 */
export type RawStatements = Readonly<
  Record<DialectFamily, ReadonlyArray<string> | ((table: (name: string) => string) => ReadonlyArray<string>)>
>

/**
 * Creates a table with its columns, key, unique sets, references, indexes and full-text index. Tables that it refers to
 * must be created before it.
 */
export const createTable = (table: Table.AnyTable): SchemaChange => ({ _tag: "CreateTable", table })

/**
 * Adds a column. Existing rows get the value `backfill`, which is null by default and required for a column that is not
 * nullable. New rows must be inserted with a value.
 *
 * @example
 * addColumn("members", "ssoMissing", boolean(), { backfill: false })
 */
export const addColumn = (
  table: string,
  name: string,
  column: Table.Column<unknown>,
  options: { readonly backfill?: unknown; readonly reference?: Table.Reference } = {}
): SchemaChange => ({
  _tag: "AddColumn",
  table,
  name,
  column,
  backfill: options.backfill ?? null,
  reference: options.reference
})

/**
 * Adds an index on the columns, in this order. Unlike the indexes of a declaration, it does not end with the table's
 * key unless you list the key's columns. An index that serves a paginated list must end with the key.
 */
export const addIndex = (table: string, columns: ReadonlyArray<string>): SchemaChange => ({
  _tag: "CreateIndex",
  table,
  columns,
  unique: false
})

/** Adds a unique index on the columns. The migration fails if existing rows violate it. */
export const addUnique = (table: string, columns: ReadonlyArray<string>): SchemaChange => ({
  _tag: "CreateIndex",
  table,
  columns,
  unique: true
})

/** Removes an index on the columns, as the database has them: an index of a declaration ends with the table's key. */
export const dropIndex = (table: string, columns: ReadonlyArray<string>): SchemaChange => ({
  _tag: "DropIndex",
  table,
  columns
})

/**
 * Creates an index again, as the database has it, without the rows that have a null in its first column: conditions on values
 * of the column use it, and it is null in most rows.
 */
export const limitIndex = (table: string, columns: ReadonlyArray<string>): SchemaChange => ({
  _tag: "LimitIndex",
  table,
  columns
})

/**
 * Runs statements that the other changes do not cover, such as an `UPDATE` that computes the values of a new column.
 *
 * @example
 * const fill = (table: (name: string) => string) => [`UPDATE ${table("teams")} SET "folded" = LOWER("title")`]
 * raw({ sqlite: fill, postgres: fill })
 */
export const raw = (statements: RawStatements): SchemaChange => ({
  _tag: "Raw",
  statements
})

/** Returns the statement that removes an index. It is in the schema of its table, whose name `table` qualifies. */
const dropIndexStatement = (
  dialect: Dialect,
  { table, columns }: { readonly table: string; readonly columns: ReadonlyArray<string> }
): string => `DROP INDEX ${dialect.table(indexName({ table, columns, unique: false }))}`

/** Returns the statements of a change in a dialect. */
export const toStatements = (dialect: Dialect, change: SchemaChange): ReadonlyArray<string> => {
  switch (change._tag) {
    case "CreateTable":
      return createTableStatements(dialect, change.table)
    case "AddColumn":
      return [addColumnStatement(dialect, change)]
    case "CreateIndex":
      return [createIndexStatement(dialect, change)]
    case "DropIndex":
      return [dropIndexStatement(dialect, change)]
    case "LimitIndex":
      return [
        dropIndexStatement(dialect, change),
        `${createIndexStatement(dialect, { ...change, unique: false })} WHERE ${quoteName(change.columns[0]!)} IS NOT NULL`
      ]
    case "Raw": {
      const statements = change.statements[dialect.family]
      return typeof statements === "function" ? statements(dialect.table) : statements
    }
  }
}

/** Returns the names of the tables and indexes that a change creates, without the prefix. */
export const createdNames = (dialect: Dialect, change: SchemaChange): ReadonlyArray<string> => {
  switch (change._tag) {
    case "CreateTable": {
      const { table } = change
      const fullText = table.fullText === undefined ? [] : dialect.fullTextNames(table.name)
      return [table.name, ...tableIndexes(table).map(indexName), ...fullText]
    }
    case "CreateIndex":
      return [indexName(change)]
    case "AddColumn":
    case "DropIndex":
    case "LimitIndex":
    case "Raw":
      return []
  }
}
