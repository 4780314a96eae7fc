/**
 * The tables of the workspace, declared once as data.
 *
 * A table says what is stored and what must always be true of it: its columns, its key, what is unique and
 * what refers to what. Adapters read the declaration to make their schema and their queries; the typed face
 * (`Records`) reads it to give every row its type. Nothing else knows how a record is laid out.
 */

/** What a column can hold. All but `json` and `bytes` can be compared, ordered by and filtered on. */
export type ColumnKind = "text" | "integer" | "boolean" | "json" | "bytes"

/**
 * A column: its kind, whether it may be null, and (in the type only) what its values are.
 *
 * - `text`: a string without NUL and without lone surrogates; compared by Unicode code point.
 * - `integer`: a safe integer.
 * - `boolean`: `true` or `false`; false comes first.
 * - `json`: any JSON value; stored and returned, never queried.
 * - `bytes`: a `Uint8Array`; stored and returned, never queried.
 */
export interface Column<out A> {
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** Only there for the type. */
  readonly Type?: A
}

/** A column of text; `A` narrows the type to a brand or to literals. */
export const text = <A extends string = string>(): Column<A> => ({ kind: "text", nullable: false })

/** A column of safe integers. */
export const integer = (): Column<number> => ({ kind: "integer", nullable: false })

/** A column of booleans. */
export const boolean = (): Column<boolean> => ({ kind: "boolean", nullable: false })

/** A column of JSON values of the type `A`, which the store neither looks into nor checks. */
export const json = <A>(): Column<A> => ({ kind: "json", nullable: false })

/** A column of bytes. */
export const bytes = (): Column<Uint8Array> => ({ kind: "bytes", nullable: false })

/** The same column, with null allowed. */
export const nullable = <A>(column: Column<A>): Column<A | null> => ({ kind: column.kind, nullable: true })

/** Columns by name. */
export type Columns = { readonly [name: string]: Column<unknown> }

/**
 * A column that refers to the key of another table. A row that refers to nothing is refused; a row that is
 * referred to is kept (`restrict`), or takes those that refer to it along when it goes (`cascade`).
 */
export interface Reference {
  /** A function, so that a table can refer to itself or to one declared later. The table has a one-column key. */
  readonly table: () => AnyTable
  readonly onRemove: "restrict" | "cascade"
}

/**
 * What makes a table one that words are looked for in. Its key begins with `scope` and `item`, and rows that share both
 * are one to whoever searches. The columns that are searched hold words with single spaces or line feeds between.
 */
export interface FullText<out C extends string = string> {
  /** What many searches are limited to one of. */
  readonly scope: C
  /** What is found. */
  readonly item: C
  /** Words that count most. */
  readonly title: C
  /** All other words, in their order. */
  readonly body: C
  /** Words that are only found by how they begin, in any order. */
  readonly forms: C
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

/** The values of columns: a row. */
export type RowOf<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends Column<infer A> ? A : never
}

/** A table with rows of the type `R`. Make one with {@link make} or {@link makeProtected}. */
export interface Table<
  Name extends string,
  R extends object,
  Key extends keyof R & string,
  P extends RequiresGrant | undefined = undefined
> {
  /** In lower camel case, as in `apiTokens`. */
  readonly name: Name
  readonly columns: { readonly [K in keyof R]: Column<R[K]> }
  /** The columns that name a row; none of them ever changes. */
  readonly key: ReadonlyArray<Key>
  /** Sets of columns whose values no two rows share. Rows with a null among them are not compared. */
  readonly unique: ReadonlyArray<ReadonlyArray<keyof R & string>>
  readonly references: { readonly [K in keyof R]?: Reference }
  /** Sets of columns that lists filter and order by, in that order. */
  readonly indexes: ReadonlyArray<ReadonlyArray<keyof R & string>>
  readonly fullText?: FullText<keyof R & string>
  /** Undefined if the table requires no grant. */
  readonly protection: P
  /** Only there for the type. */
  readonly Row?: R
}

/** A table whose rows require a grant. */
export interface ProtectedTable<Name extends string, R extends object, Key extends keyof R & string>
  extends Table<Name, R, Key, RequiresGrant> {}

/** Any table, for code that reads declarations. */
export interface AnyTable {
  readonly name: string
  readonly columns: Columns
  readonly key: ReadonlyArray<string>
  readonly unique: ReadonlyArray<ReadonlyArray<string>>
  readonly references: { readonly [column: string]: Reference | undefined }
  readonly indexes: ReadonlyArray<ReadonlyArray<string>>
  readonly fullText?: FullText
  /** Undefined if the table requires no grant. */
  readonly protection: RequiresGrant | undefined
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

/** The columns of a table that can change: all but its key. */
export type Changes<T extends AnyTable> = Partial<Omit<Row<T>, T["key"][number]>>

/** The declaration of a table, except for its name and its protection. */
interface Options<C extends Columns, Key extends keyof C & string> {
  readonly columns: C
  readonly key: ReadonlyArray<Key>
  readonly unique?: ReadonlyArray<ReadonlyArray<keyof C & string>>
  readonly references?: { readonly [K in keyof C]?: Reference }
  readonly indexes?: ReadonlyArray<ReadonlyArray<keyof C & string>>
  readonly fullText?: FullText<keyof C & string>
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
  protection
})

/** Declares a table that requires no grant. `unique`, `references` and `indexes` are empty by default. */
export const make = <const Name extends string, const C extends Columns, const Key extends keyof C & string>(
  name: Name,
  options: Options<C, Key>
): Table<Name, RowOf<C>, Key> => declare(name, options, undefined)

/** Declares a table whose rows require a grant. `tenant` and `owner` name the columns that scopes limit. */
export const makeProtected = <
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
