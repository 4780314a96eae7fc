/**
 * The interfaces of records, by the tables that they accept: the tables that require no grant, or, with a grant, all
 * tables.
 */
import type { Effect } from "effect"
import type { Compression, SearchResult, TextSearch } from "./RecordsAdapter.ts"
import type { StorageUnavailable, UniqueViolation } from "./StorageError.ts"
import type { AnyTable, Changes, Key, Row } from "./Table.ts"
import type * as Where from "./Where.ts"

/** The options of a query: its filter, its order, its start and its limit. */
export interface FindOptions<R, K extends keyof R = keyof R> {
  /** The columns to read; all by default. */
  readonly select?: ReadonlyArray<K>
  /** The condition that rows match; every row by default. */
  readonly where?: Where.Where<R>
  /** The columns to sort by, none of them null in a matching row. The key breaks ties, and is the default. */
  readonly orderBy?: ReadonlyArray<keyof R & string>
  /** `asc` by default. It applies to all columns. */
  readonly direction?: "asc" | "desc"
  /** Only rows after this position, as `positionOf` returns it. */
  readonly after?: ReadonlyArray<Where.Scalar>
  /** The maximum number of rows; unlimited by default. */
  readonly limit?: number
}

/** A row with the selected columns: the row itself if all are selected. */
export type Selected<R, K extends keyof R> = [keyof R] extends [K] ? R : Pick<R, K>

/** Numbers to add to columns of a table. */
export type Additions<T extends AnyTable> = { readonly [K in keyof Changes<T> & string]?: number }

/** Verbs that read rows of `Tables`. */
export interface ReadableRecords<in Tables extends AnyTable> {
  /**
   * Runs two independent queries and returns both results. They run concurrently if the adapter supports it: see
   * `RecordsAdapter.concurrency`.
   */
  readonly zipConcurrent: <A, E, R, A2, E2, R2>(
    one: Effect.Effect<A, E, R>,
    other: Effect.Effect<A2, E2, R2>
  ) => Effect.Effect<[A, A2], E | E2, R | R2>

  /** Whether the fiber is in a transaction: it may read writes that are rolled back. */
  readonly isInTransaction: Effect.Effect<boolean>

  /** Compresses the bytes of blobs, or undefined. See `RecordsAdapter.compression`. */
  readonly compression: Compression | undefined

  /** Returns the first row that the options find, or `undefined`. */
  readonly first: <T extends Tables, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>
  ) => Effect.Effect<Selected<Row<T>, K> | undefined, StorageUnavailable>

  /** Returns the row with this key, or `undefined`. `select` limits the columns. */
  readonly get: <T extends Tables, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    key: Key<T>,
    select?: ReadonlyArray<K>
  ) => Effect.Effect<Selected<Row<T>, K> | undefined, StorageUnavailable>

  /** Returns the rows that the options find. See `RecordsAdapter.find`. */
  readonly find: <T extends Tables, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>
  ) => Effect.Effect<ReadonlyArray<Selected<Row<T>, K>>, StorageUnavailable>

  /** Counts the rows that match. */
  readonly count: <T extends Tables>(
    table: T,
    where: Where.Where<Row<T>>
  ) => Effect.Effect<number, StorageUnavailable>

  /** Counts the rows for each value of a column. The map has no entry for values without a row. */
  readonly countBy: <T extends Tables, C extends keyof Row<T> & string>(
    table: T,
    column: C,
    where: Where.Where<Row<T>>
  ) => Effect.Effect<ReadonlyMap<Where.Scalar, number>, StorageUnavailable>

  /** Returns the items that contain all of the terms. See `RecordsAdapter.search`. */
  readonly search: <T extends Tables>(
    table: T,
    search: TextSearch
  ) => Effect.Effect<SearchResult, StorageUnavailable>

  /** Returns the condition that a column equals a value of `select` in another table. See `Where.inSelect`. */
  readonly inSelect: <R, K extends Where.ColumnOf<R>, T extends Tables, S extends Where.ColumnOf<Row<T>>>(
    column: K,
    table: T,
    select: S,
    where: Where.Where<Row<T>>
  ) => Where.Where<R>
}

/** Verbs that read and write rows of `Tables`. */
export interface WritableRecords<in Tables extends AnyTable> extends ReadableRecords<Tables> {
  /** Adds a row. A row with the same key or unique values is a defect. */
  readonly insert: <T extends Tables>(table: T, row: Row<T>) => Effect.Effect<void, StorageUnavailable>

  /** Adds a row. Fails with `UniqueViolation` if another row has its key or its unique values. */
  readonly tryInsert: <T extends Tables>(
    table: T,
    row: Row<T>
  ) => Effect.Effect<void, UniqueViolation | StorageUnavailable>

  /** Adds rows, all or none, as {@link insert} does. */
  readonly insertMany: <T extends Tables>(
    table: T,
    rows: ReadonlyArray<Row<T>>
  ) => Effect.Effect<void, StorageUnavailable>

  /** Adds the rows that do not exist yet, and returns how many. See `RecordsAdapter.insertMissing`. */
  readonly insertMissing: <T extends Tables>(
    table: T,
    rows: ReadonlyArray<Row<T>>
  ) => Effect.Effect<number, StorageUnavailable>

  /** Whether the store executes statements of transactions later. */
  readonly findsBeforeEnd: boolean

  /**
   * Runs `use` with the rows that match before the transaction ends, together with later queries: see `RecordsAdapter.findBeforeEnd`. Runs it
   * immediately outside of transactions. A failure of `use` makes the transaction fail.
   */
  readonly findBeforeEnd: <T extends Tables, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>,
    use: (rows: ReadonlyArray<Selected<Row<T>, K>>) => Effect.Effect<void, StorageUnavailable>
  ) => Effect.Effect<void, StorageUnavailable>

  /**
   * Adds the rows that do not exist yet, without counting them. A store may execute it with the next query: see `WriteOptions.isResultUnused`.
   */
  readonly insertMissingUncounted: <T extends Tables>(
    table: T,
    rows: ReadonlyArray<Row<T>>
  ) => Effect.Effect<void, StorageUnavailable>

  /** Updates all rows that match, in one statement, and returns how many. See `RecordsAdapter.update`. */
  readonly update: <T extends Tables>(
    table: T,
    where: Where.Where<Row<T>>,
    set: Changes<T>,
    add?: Additions<T>
  ) => Effect.Effect<number, StorageUnavailable>

  /** As {@link update}, but fails with `UniqueViolation` if another row has the new values. */
  readonly tryUpdate: <T extends Tables>(
    table: T,
    where: Where.Where<Row<T>>,
    set: Changes<T>,
    add?: Additions<T>
  ) => Effect.Effect<number, UniqueViolation | StorageUnavailable>

  /** Updates all rows that match, without counting them. A store may execute it with the next query: see `WriteOptions.isResultUnused`. */
  readonly updateUncounted: <T extends Tables>(
    table: T,
    where: Where.Where<Row<T>>,
    set: Changes<T>,
    add?: Additions<T>
  ) => Effect.Effect<void, StorageUnavailable>

  /** Removes all rows that match, and returns how many. See `RecordsAdapter.remove`. */
  readonly remove: <T extends Tables>(
    table: T,
    where: Where.Where<Row<T>>
  ) => Effect.Effect<number, StorageUnavailable>

  /** Removes all rows that match, without counting them. A store may execute it with the next query: see `WriteOptions.isResultUnused`. */
  readonly removeUncounted: <T extends Tables>(
    table: T,
    where: Where.Where<Row<T>>
  ) => Effect.Effect<void, StorageUnavailable>

  /** Increments a counter column and returns the new number. Numbers are unique and have no gaps. */
  readonly next: <T extends Tables>(
    table: T,
    key: Key<T>,
    column: keyof Changes<T> & string
  ) => Effect.Effect<number | undefined, StorageUnavailable>
}
