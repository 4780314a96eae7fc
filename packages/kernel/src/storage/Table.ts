/**
 * Declarations of tables, as data.
 *
 * A table declares its columns, its key, its unique sets, its references and its indexes. Adapters derive schemas and
 * queries from the declaration, `Records` derives the types of rows, and the doctor checks stored rows against it.
 */

/** The kind of a column. Conditions and orders can use all kinds except `json` and `bytes`. */
export type ColumnKind = "text" | "integer" | "boolean" | "json" | "bytes"

/**
 * A column with values of the type `A`, which is null for some rows if the column is nullable.
 *
 * - `text`: a string without NUL and without lone surrogates; compared by Unicode code point.
 * - `integer`: a safe integer.
 * - `boolean`: `true` or `false`; false comes first.
 * - `json`: any JSON value; stored and returned, never queried.
 * - `bytes`: a `Uint8Array`; stored and returned, never queried.
 */
export interface Column<out A> {
  /** The kind of its values. */
  readonly kind: ColumnKind
  /** Whether values can be null. */
  readonly nullable: boolean
  /** Whether the store generates the values: see {@link generated}. */
  readonly generated?: true
  /** Exists only in types. */
  readonly Type?: A
}

/** Declares a column of text. `A` narrows the type to a brand or to literals. */
export const text = <A extends string = string>(): Column<A> => ({ kind: "text", nullable: false })

/** Declares a column of safe integers. */
export const integer = (): Column<number> => ({ kind: "integer", nullable: false })

/** Declares a column of booleans. */
export const boolean = (): Column<boolean> => ({ kind: "boolean", nullable: false })

/** Declares a column of JSON values of the type `A`, which the store does not validate. */
export const json = <A>(): Column<A> => ({ kind: "json", nullable: false })

/** Declares a column of bytes. */
export const bytes = (): Column<Uint8Array> => ({ kind: "bytes", nullable: false })

/**
 * Declares the only column of a key, whose values the store generates: a number that is greater than the numbers of all rows
 * that are visible to the transaction. Inserted rows have {@link generatedValue} in it. A number can be used again after
 * its row was removed.
 */
export const generated = (): Column<number> => ({ kind: "integer", nullable: false, generated: true })

/** The value of a generated column in a row that is inserted: the store ignores it. */
export const generatedValue = 0

/** Returns a column that can also be null. */
export const nullable = <A>(column: Column<A>): Column<A | null> => ({ kind: column.kind, nullable: true })

/** Columns by name. */
export type Columns = { readonly [name: string]: Column<unknown> }

/** A reference of a column to the key of a table. To write a row that refers to a missing row is an error. */
export interface Reference {
  /** Returns the table, whose key has one column. A function, so that a table can refer to itself or to a later one. */
  readonly table: () => AnyTable
  /** The effect of removing the row: an error while rows refer to it, or the removal of these rows as well. */
  readonly onRemove: "restrict" | "cascade"
}

/**
 * The columns of a full-text search. The key of the table consists of `scope`, which is first, `tenant`, `item`, and a column
 * that numbers the parts of an item. Rows with the same `scope`, `tenant` and `item` are one search result. Searched columns
 * contain words separated by single spaces or line feeds.
 */
export interface FullText<out C extends string = string> {
  /** The column that searches are limited by, such as the space of a page. */
  readonly scope: C
  /** The column that names the tenant of a row. All rows of a scope have the same tenant. */
  readonly tenant?: C
  /** The column that identifies a result, such as the id of a page. */
  readonly item: C
  /** The column with the words of the highest weight. */
  readonly title: C
  /** The column with the words of the second highest weight. */
  readonly headings?: C
  /** The column with all other words, in their order. */
  readonly body: C
  /** The column with words that only prefixes match, in any order. */
  readonly forms: C
  /** The column with the names of the audiences of the row; empty if every search finds it. */
  readonly audience?: C
}

/**
 * The protection of a table: its rows belong to tenants, and features reach them only with a grant. The kernel does not
 * know what a tenant or an owner is; the scope of a grant limits these columns to values.
 */
export interface RequiresGrant {
  /** The column that names the tenant of a row; null if rows belong to a row of another table instead. */
  readonly tenant: string | null
  /** The column that names the user whose own row it is; null if rows have no owner. */
  readonly owner: string | null
}

/** The type of a row with these columns. */
export type RowOf<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends Column<infer A> ? A : never
}

/** A table with rows of the type `R`. Create one with {@link make} or {@link makeProtected}. */
export interface Table<
  Name extends string,
  R extends object,
  Key extends keyof R & string,
  P extends RequiresGrant | undefined = undefined
> {
  /** In lower camel case, as in `apiTokens`. */
  readonly name: Name
  /** The columns by name. */
  readonly columns: { readonly [K in keyof R]: Column<R[K]> }
  /** The columns that identify a row. They never change. */
  readonly key: ReadonlyArray<Key>
  /** Sets of columns whose values are unique among rows. Rows with a null in the set are exempt. */
  readonly unique: ReadonlyArray<ReadonlyArray<keyof R & string>>
  /** The references by the name of their column. */
  readonly references: { readonly [K in keyof R]?: Reference }
  /** Sets of columns to index, in the order of the columns. */
  readonly indexes: ReadonlyArray<ReadonlyArray<keyof R & string>>
  /** The columns of full-text search; absent if the table is not searched. */
  readonly fullText?: FullText<keyof R & string>
  /**
   * The values that rows get in columns which were added to the declaration after a host's database was created. Stores add these
   * columns: see `RecordsAdapter.createTables`.
   */
  readonly backfill?: { readonly [K in keyof R]?: R[K] }
  /** Undefined if the table requires no grant. */
  readonly protection: P
  /** The locks that cover its rows; absent if locked transactions cannot access it. */
  readonly locking?: Locking
  /** Exists only in types. */
  readonly Row?: R
}

/** A table whose rows require a grant. */
export interface ProtectedTable<Name extends string, R extends object, Key extends keyof R & string>
  extends Table<Name, R, Key, RequiresGrant> {}

/** Any table, for code that reads declarations. */
export interface AnyTable {
  /** The name, in lower camel case. */
  readonly name: string
  /** The columns by name. */
  readonly columns: Columns
  /** The columns that identify a row. */
  readonly key: ReadonlyArray<string>
  /** Sets of columns whose values are unique among rows. */
  readonly unique: ReadonlyArray<ReadonlyArray<string>>
  /** The references by the name of their column. */
  readonly references: { readonly [column: string]: Reference | undefined }
  /** Sets of columns to index. */
  readonly indexes: ReadonlyArray<ReadonlyArray<string>>
  /** The columns of full-text search; absent if the table is not searched. */
  readonly fullText?: FullText
  /** The values of rows in columns that were added later; see {@link Table.backfill}. */
  readonly backfill?: { readonly [column: string]: unknown }
  /** Undefined if the table requires no grant. */
  readonly protection: RequiresGrant | undefined
  /** The locks that cover its rows; absent if locked transactions cannot access it. */
  readonly locking?: Locking
}

/** A table that requires no grant. */
export interface UnprotectedTable extends AnyTable {
  /** No protection: `Records` accepts the table. */
  readonly protection: undefined
}

/** A row of a table. */
export type Row<T extends AnyTable> = "Row" extends keyof T
  ? T extends { readonly Row?: infer R }
    ? NonNullable<R>
    : never
  : { readonly [column: string]: unknown }

/** The columns of a table's key, with their values. */
export type Key<T extends AnyTable> = Pick<Row<T>, T["key"][number] & keyof Row<T>>

/** New values of columns of a table, except for its key. */
export type Changes<T extends AnyTable> = Partial<Omit<Row<T>, T["key"][number]>>

/**
 * Which locks cover the rows of a table in a locked transaction. A locked transaction that accesses a table without the
 * lock, or a table without this declaration, is rolled back and runs again as a serializable one.
 */
export interface Locking {
  /** The kinds of locks, of which a write requires one exclusively. Empty if each write is independent of others. */
  readonly writes: ReadonlyArray<string>
  /** `locked` if a read requires one of the locks, in any mode; `unlocked` if every reader tolerates changes. */
  readonly reads: "locked" | "unlocked"
}

/** Rows whose writes are atomic statements, independent of others, such as content-addressed rows. */
export const withoutLocks: Locking = { writes: [], reads: "unlocked" }

/** The declaration of a table, except for its name and its protection. */
interface Options<C extends Columns, Key extends keyof C & string> {
  readonly columns: C
  readonly key: ReadonlyArray<Key>
  readonly unique?: ReadonlyArray<ReadonlyArray<keyof C & string>>
  readonly references?: { readonly [K in keyof C]?: Reference }
  readonly indexes?: ReadonlyArray<ReadonlyArray<keyof C & string>>
  readonly fullText?: FullText<keyof C & string>
  readonly locking?: Locking
  /** For tables of hosts: the values of existing rows in columns that were added later. */
  readonly backfill?: { readonly [K in keyof C]?: C[K] extends Column<infer A> ? A : never }
}

const declare = <
  Name extends string,
  C extends Columns,
  Key extends keyof C & string,
  P extends RequiresGrant | undefined
>(
  name: Name,
  options: Options<C, Key>,
  protection: P
): Table<Name, RowOf<C>, Key, P> => ({
  name,
  columns: options.columns as { readonly [K in keyof C]: Column<RowOf<C>[K]> },
  key: options.key,
  unique: options.unique ?? [],
  references: options.references ?? {},
  indexes: options.indexes ?? [],
  ...(options.fullText === undefined ? {} : { fullText: options.fullText }),
  ...(options.locking === undefined ? {} : { locking: options.locking }),
  ...(options.backfill === undefined
    ? {}
    : { backfill: options.backfill as { readonly [K in keyof C]?: RowOf<C>[K] } }),
  protection
})

/** Declares a table that requires no grant. `unique`, `references` and `indexes` are empty by default. */
const makeTable = <const Name extends string, const C extends Columns, const Key extends keyof C & string>(
  name: Name,
  options: Options<C, Key>
): Table<Name, RowOf<C>, Key> => declare(name, options, undefined)

/** Declares a table whose rows require a grant. `tenant` and `owner` name the columns that scopes limit. */
const makeProtectedTable = <
  const Name extends string,
  const C extends Columns,
  const Key extends keyof C & string
>(
  name: Name,
  {
    tenant,
    owner,
    ...options
  }: Options<C, Key> & { readonly tenant: (keyof C & string) | null; readonly owner?: keyof C & string }
): ProtectedTable<Name, RowOf<C>, Key> => declare(name, options, { tenant, owner: owner ?? null })

export { makeProtectedTable as makeProtected, makeTable as make }
