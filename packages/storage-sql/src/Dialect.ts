/** The differences between SQL databases. Everything else of a store is independent of the database. */
import type { StorageUnavailable, Table, TextSearch } from "@lectern/kernel"
import type { SqlError } from "effect/sql/SqlError"
import type { Locking } from "./locking.ts"

/**
 * The meaning of a database error for the caller.
 *
 * - `UniqueViolation`: a row duplicates a primary key or a unique set.
 * - `ReferenceViolation`: a row refers to a row that does not exist, or a removed row is still referred to.
 * - `Conflict`: the transaction conflicts with a concurrent one and can be retried.
 * - a reason of `StorageUnavailable`: the database is unreachable or temporarily unable to execute the statement.
 * - `Defect`: a programming error, such as invalid SQL or a missing table.
 */
export type ErrorClass =
  | "UniqueViolation"
  | "ReferenceViolation"
  | "Conflict"
  | StorageUnavailable["reason"]
  | "Defect"

/** Queries over the system catalog. Each query returns rows with the columns that its property lists. */
export interface Introspection {
  /** One row per column: `table`, `name`, `type` as {@link Dialect.columnType} returns it, and `nullable` (0 or 1). */
  readonly columns: string
  /** One row per index: `table`, `kind` (`key`, `unique` or `index`), and `columns`, comma-separated and in order. */
  readonly indexes: string
  /**
   * One row per foreign key: `table`, `column`, `target`, and `onRemove` (`restrict` or `cascade`). With
   * {@link Dialect.deferConstraints} also `deferrable`, its name if its check can be deferred.
   */
  readonly references: string
  /**
   * One row per object that shares a namespace with Lectern's tables and indexes: `name`, without the prefix, and
   * `kind` (`table`, `view`, `index`, `type`, ...).
   */
  readonly names: string
}

/** A system for which the migrations of Lectern have statements. */
export type DialectFamily = "sqlite" | "postgres"

/** Adds the parameters of a search to its statement, in the order of their placeholders. */
export interface SearchParameters {
  /** Adds a value, and returns its placeholder. */
  readonly value: (value: unknown) => string
  /** Adds a list of strings, and returns its placeholder. */
  readonly list: (values: ReadonlyArray<string>) => string
  /** Adds the values of the condition of the search, and returns the condition. */
  readonly isSearched: () => string
}

/** The rows that match a search. The index can identify scopes and items by keys of its own. */
export interface SearchSource {
  /** Common table expressions that `hits` refers to, each with its name. */
  readonly tables?: ReadonlyArray<string>
  /** Returns the expression for the number of matching items, from that for the number of items of `hits`. */
  readonly countOf?: (hits: string) => string
  /**
   * A `SELECT` of the rows that match the terms, the audiences, the scopes and the condition of the search: the key `scope` of their scope, the key `item` of
   * their item, and a `score` that is higher for better matches.
   */
  readonly hits: string
  /** Returns the expression for the value of the scope column with the key that an expression has. */
  readonly scopeOf: (key: string) => string
  /** Returns the expression for the value of the item column with the key that an expression has. */
  readonly itemOf: (key: string) => string
}

/** The syntax and the behavior of one SQL database. */
export interface Dialect {
  /** The name of the database system, such as `sqlite`, `postgres` or `pglite`. Any name is allowed. */
  readonly name: string
  /** The system whose SQL it executes. It selects the statements of `SchemaChange.raw`. */
  readonly family: DialectFamily
  /** Whether names are compared case-insensitively, even quoted ones. */
  readonly hasCaseInsensitiveNames: boolean
  /** Returns the quoted name of a table, with the schema or the prefix that the store is configured with. */
  readonly table: (name: string) => string
  /**
   * Returns the quoted name of an index for `CREATE INDEX`, with the prefix. An index is in the schema of its table.
   */
  readonly index: (name: string) => string
  /**
   * Statements that find and create the schema of the tables; `exists` returns a row if the schema exists. Undefined
   * if the dialect does not manage a schema.
   */
  readonly schema: { readonly exists: string; readonly create: string } | undefined
  /** A sentence that explains how to resolve a name conflict. It ends the message of `TableNameConflict`. */
  readonly nameConflictRemedy: string
  /** The number of independent queries to run concurrently. See `RecordsAdapter.concurrency`. */
  readonly concurrency: 1 | "unbounded"
  /** Returns the placeholder of the parameter with this number, counted from 1. */
  readonly placeholder: (number: number) => string
  /**
   * Returns the condition that a column equals one of the values in a parameter that {@link Dialect.encodeList}
   * encoded.
   */
  readonly inList: (column: string, kind: Table.ColumnKind, parameter: string) => string
  /**
   * The length that lists of {@link Dialect.inList} get at least, by repetition of a value: the planner assumes it if it does not know
   * the values, and plans a statement again for each shorter list. 1 by default.
   */
  readonly assumedListLength?: number
  /** Encodes a list of values as one parameter. */
  readonly encodeList: (values: ReadonlyArray<unknown>) => unknown
  /** Returns the expression for the position of `part` in `text`: 1 for the first character, 0 if it does not occur. */
  readonly position: (text: string, part: string) => string
  /** Returns the type of a column in `CREATE TABLE`. */
  readonly columnType: (kind: Table.ColumnKind) => string
  /** Text after the closing parenthesis of `CREATE TABLE`, such as ` STRICT`. */
  readonly tableOptions: string
  /** {@link Dialect.tableOptions} of tables with full text, whose rows are long. */
  readonly fullTextTableOptions: string
  /** The text after the type of a generated column, and {@link Dialect.tableOptions} of its table. */
  readonly generatedKey: { readonly columnOptions: string; readonly tableOptions: string }
  /** Encodes a boolean as a parameter. */
  readonly encodeBoolean: (value: boolean) => unknown
  /** The `ON DELETE` clause of a reference that prevents the removal of its target. */
  readonly onDeleteRestrict: string
  /**
   * Returns the statements that defer the check of the references with these names until all rows of a removal are deleted, and
   * that run the deferred checks. They do not affect references of a host. Undefined if the database defers these checks
   * without being instructed to.
   */
  readonly deferConstraints:
    | ((constraints: ReadonlyArray<string>) => readonly [defer: string, check: string])
    | undefined
  /** Returns a value as a literal for the `DEFAULT` of a column. */
  readonly literal: (value: unknown) => string
  /** Returns a `SELECT` of the rows in a parameter: a JSON array with an object per row. */
  readonly selectRows: (columns: Table.Columns, parameter: string) => string
  /** The query for `RecordsAdapter.snapshot`: one row with a column `snapshot`. */
  readonly snapshot: string
  /**
   * Returns the query for `RecordsAdapter.raisedVersions`: at most `maximumRaisedVersions` + 1 rows with the columns `server`,
   * `position`, `scope` and `version`. Its parameter is a position. Without changes, `scope` is null. A position of another `server`
   * is unknown. `versions` is the qualified name of the table.
   */
  readonly raisedVersions: (versions: string) => string
  /** The position before all versions, for the first call of {@link Dialect.raisedVersions}. */
  readonly firstPosition: string

  /** Returns the statements that create the full-text index of a table. The table exists and is empty. */
  readonly createFullText: (table: Table.AnyTable, fullText: Table.FullText) => ReadonlyArray<string>
  /** Returns the names, without the prefix, of the tables and indexes that {@link Dialect.createFullText} creates. */
  readonly fullTextNames: (table: string) => ReadonlyArray<string>
  /** Returns the parts of the statement of a search. It adds its parameters in the order of their placeholders. */
  readonly search: (
    table: string,
    fullText: Table.FullText,
    search: TextSearch,
    parameters: SearchParameters
  ) => SearchSource
  /** The statement that begins a serializable transaction. Undefined if the client's transactions are serializable. */
  readonly beginSerializable: string | undefined
  /**
   * The statement that begins a transaction whose reads see one committed state, and that can write nothing. Undefined if
   * the client opens such transactions itself, or supports none: see `SqlRecordsOptions.openSnapshot`.
   */
  readonly beginReadOnly: string | undefined
  /** Locked transactions. Undefined if transactions do not run concurrently. */
  readonly locking: Locking | undefined
  /**
   * The statement that acquires the migration lock, which is held until the transaction ends. Undefined if a write
   * transaction excludes other processes.
   */
  readonly lockMigrations: string | undefined
  /**
   * The clause that locks selected rows and skips rows that other transactions have locked, with a space before it.
   * Undefined if a write transaction excludes others.
   */
  readonly skipLocked: string | undefined
  /**
   * Returns statements that write to the disk and leave no data. They run in one transaction, which is committed.
   * `history` is the quoted name of the table of applied migrations: `number` (the key), `name` and `appliedAt`.
   * `hasFailed` is whether the last write failed because the database accepted none: the statements then write 1 MiB, as a
   * nearly full disk can have space for a page, and not for a request.
   */
  readonly probe: (history: string, hasFailed: boolean) => ReadonlyArray<string>
  /** Classifies an error by the database's error codes, never by its messages. */
  readonly classify: (error: SqlError) => ErrorClass
  /** The catalog queries of `verifySchema` and of the check for name conflicts. */
  readonly introspection: Introspection
}
