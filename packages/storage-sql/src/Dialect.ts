/** What differs between the databases that speak SQL: everything else of a store is written once. */
import type { SearchTerm, Table } from "@lectern/core"
import type { SqlError } from "effect/sql/SqlError"

/**
 * What an error of a database means: a row that shares what is unique, or that refers to none; a transaction that met
 * others; a database that does not answer as it should, now; or a mistake in what we asked.
 */
export type Meaning = "Unique" | "Reference" | "Conflict" | "Unavailable" | "Mistake"

/** Queries that tell what a database holds. Each row has the columns that are named here. */
export interface Introspection {
  /** `table`, `name`, `type` as {@link Dialect.columnType} says it, `nullable` (0 or 1): of every column. */
  readonly columns: string
  /** `table`, `kind` (`key`, `unique` or `index`), `columns` in order, with commas: of every index. */
  readonly sets: string
  /** `table`, `column`, `target`, `onRemove` (`restrict` or `cascade`): of every reference. */
  readonly references: string
  /**
   * `name` and `kind` (`table`, `view`, `index`, `type`, ...) of everything that shares a namespace with Lectern's tables
   * and indexes. Names are without the prefix.
   */
  readonly names: string
}

/** A database's own way of saying things. */
export interface Dialect {
  readonly name: "sqlite" | "postgres"
  /** A table, as statements refer to it: quoted, with the schema or the prefix that the store is configured with. */
  readonly table: (name: string) => string
  /** An index, as `CREATE INDEX` names it: quoted, with the prefix. An index belongs to the schema of its table. */
  readonly index: (name: string) => string
  /** Finds and creates the schema that the tables live in. `exists` returns a row if the schema exists. */
  readonly schema: { readonly exists: string; readonly create: string } | undefined
  /** How the host resolves a conflict of names, a sentence: for the message of `TableNameConflict`. */
  readonly nameConflictRemedy: string
  /** See `RecordsAdapter.concurrency`. */
  readonly concurrency: 1 | "unbounded"
  /** The placeholder of the parameter with this number, from 1 on. */
  readonly parameter: (number: number) => string
  /** A condition that a column is one of the values of one parameter, which {@link Dialect.list} made. */
  readonly isIn: (column: string, kind: Table.ColumnKind, parameter: string) => string
  /** Values as one parameter. */
  readonly list: (values: ReadonlyArray<unknown>) => unknown
  /** The position of one text in another, 1 for the first; 0 where it is not in it. */
  readonly position: (text: string, part: string) => string
  /** The type of a column in a definition. */
  readonly columnType: (kind: Table.ColumnKind) => string
  /** What follows the brackets of a table's definition. */
  readonly tableOptions: string
  /** A boolean as the database takes it. */
  readonly boolean: (value: boolean) => unknown
  /** What a definition says of a reference that keeps what it refers to. */
  readonly restrict: string
  /**
   * Statements around a removal, after which references are only looked at when all that goes is gone; undefined
   * where they are so by themselves.
   */
  readonly aroundRemoval: readonly [before: string, after: string] | undefined
  /** A value of a column, as a definition has it. */
  readonly literal: (value: unknown) => string
  /** What to select from, and what, for rows that come as one parameter: a JSON array of objects. */
  readonly rows: (columns: Table.Columns, parameter: string) => string
  /** The query for `RecordsAdapter.snapshot`: one row, whose column is of the same name. */
  readonly snapshot: string

  /** The statements that make what a table with full text is searched by. It is there, and empty. */
  readonly fullText: (table: Table.AnyTable, fullText: Table.FullText) => ReadonlyArray<string>
  /** The names of the tables and indexes that {@link Dialect.fullText} creates, without the prefix. */
  readonly fullTextNames: (table: string) => ReadonlyArray<string>
  /**
   * Selects the rows of a table with full text that have all of the terms in them: their scope, their item and how well
   * they fit (`score`, the larger the better). A scope that is named may be made use of; it need not.
   */
  readonly search: (
    table: string,
    fullText: Table.FullText,
    terms: ReadonlyArray<SearchTerm>,
    scope: string | undefined,
    parameter: (value: unknown) => string
  ) => string
  /** How a transaction begins that is serializable; undefined where the client's do so by themselves. */
  readonly begin: string | undefined
  /** Waits until no other process migrates the database; undefined where a transaction that writes is enough. */
  readonly lockMigrations: string | undefined
  /** What an error means: told by the database's codes, never by messages. */
  readonly classify: (error: SqlError) => Meaning
  readonly introspection: Introspection
}
