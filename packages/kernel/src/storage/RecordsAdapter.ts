/**
 * The port that a storage adapter implements. Rows are plain objects with the column values that `Table.ts` describes;
 * `Records` is the typed service over it, shared by all adapters.
 *
 * Each method's comment is its specification: `storageConformance` of the testkit has a test for each sentence.
 */
import { Context, type Effect, type Scope } from "effect"
import type { HostConnection, JoinableTransaction, JoinedConnection } from "./HostConnection.ts"
import type { Lock } from "./Lock.ts"
import type {
  ReferenceViolation,
  StorageConflict,
  StorageUnavailable,
  TableMismatch,
  UniqueViolation
} from "./StorageError.ts"
import type { StoreStatistics } from "./StoreStatistics.ts"
import type { AnyTable } from "./Table.ts"
import type { AnyWhere, Scalar } from "./Where.ts"

/** A row as the port passes it: one value per column of its table, or null. */
export type PlainRow = { readonly [column: string]: unknown }

/** The options of {@link RecordsAdapter.find}. */
export interface Find {
  /** The condition that rows match. */
  readonly where: AnyWhere
  /**
   * Columns to sort by, most significant first. No matching row has a null in one of them. The adapter appends the
   * table's key, so that the order is total.
   */
  readonly orderBy: ReadonlyArray<string>
  /** The direction of all columns. Strings sort by code point, and false before true. */
  readonly direction: "asc" | "desc"
  /** Returns only rows after this position: the values of `orderBy`, then of the key columns that are not in it. */
  readonly after?: ReadonlyArray<Scalar>
  /** The maximum number of rows. 0 returns none. */
  readonly limit?: number
  /** The columns that the caller needs; returned rows may have more. All columns by default. */
  readonly select?: ReadonlyArray<string>
}

/** Words that must match together. Words are not empty and consist of letters, digits and pictograms. */
export interface SearchTerm {
  /** Consecutive words of the title, the headings or the body. At least one. */
  readonly phrase: ReadonlyArray<string>
  /** An alternative to `phrase`: a word of the title, the headings, the body or the forms that starts with this prefix. */
  readonly prefix?: string
  /** Alternatives to `phrase`: other phrases of at least one word. */
  readonly alternatives?: ReadonlyArray<ReadonlyArray<string>>
}

/** The options of {@link RecordsAdapter.search}. The table declares `fullText`. */
export interface TextSearch {
  /** The terms. At least one. */
  readonly terms: ReadonlyArray<SearchTerm>
  /** Whether a row must match all of the terms, or any of them. All by default. */
  readonly match?: "all" | "any"
  /** Searches titles and headings only, without the body and the forms. False by default. */
  readonly titlesOnly?: boolean
  /** The names of the audiences of the search. A row that names audiences matches only if it names one of these. */
  readonly audiences?: ReadonlyArray<string>
  /**
   * Searches rows of these scopes only. The cost is in proportion to the matching rows of these scopes, regardless of the
   * other rows of the table.
   */
  readonly scopes: ReadonlyArray<string>
  /** Searches matching rows only. The condition tests only columns that all rows of a scope have in common. */
  readonly where: AnyWhere
  /** `items` ranks the items of one scope; `scopes` ranks scopes by the best item in each. */
  readonly by: "items" | "scopes"
  /** The maximum number of items per scope when `by` is `scopes`. */
  readonly most: number
  /**
   * Whether items need not be ranked if at most this many rows match. Such items may have equal scores. Only used when `by`
   * is `items`; 0 by default.
   */
  readonly unranked?: number
  /**
   * If at least this many items match by their titles, these items rank above the others, which a store need not score
   * for the first items then. Only used when `by` is `items`. By default, items are ranked by their scores only.
   */
  readonly titlesFirst?: number
  /** Returns only entries that rank after this one. */
  readonly after?: { readonly score: number; readonly id: string }
  /** The maximum number of items, or of scopes. */
  readonly limit: number
}

/** An item that matches a search. */
export interface SearchHit {
  /** The value of the scope column. */
  readonly scope: string
  /** The value of the item column. */
  readonly item: string
  /** The relevance, in the store's own unit: higher is better. */
  readonly score: number
  /** The score that ranks its entry: the best score of its scope when `by` is `scopes`, else its own. */
  readonly best: number
}

/** The result of {@link RecordsAdapter.search}. */
export interface SearchResult {
  /** The number of matching items, or of scopes with one, on all pages together. */
  readonly count: number
  /** The items of this page, best first. */
  readonly hits: ReadonlyArray<SearchHit>
}

/** The change that {@link RecordsAdapter.update} makes to each matching row. */
export interface Change {
  /** New values, by column. */
  readonly set: PlainRow
  /**
   * Integers to add to integer columns; null stays null. No column is in both `set` and `add`. No column of `add` is in
   * a unique set: rows that are updated one by one could collide with each other temporarily.
   */
  readonly add: { readonly [column: string]: number }
}

/** The versions that were raised since a position. */
export interface RaisedVersions {
  /** The position of the state that was read. */
  readonly position: string
  /** The raised versions: random numbers, by their scope. Undefined if every version may have changed. */
  readonly versions: ReadonlyArray<readonly [scope: string, version: number]> | undefined
}

/** The options of a write. */
export interface WriteOptions {
  /**
   * Whether the result of the write is unused; false by default. In a transaction, a store may then execute it later,
   * together with others: before the next query of the transaction, which reads it, or before the transaction or its
   * savepoint ends. The returned number has no meaning then, and a violated unique set or reference is a defect.
   */
  readonly isResultUnused?: boolean
}

/** The errors of a read. `StorageConflict` occurs in transactions only. */
export type ReadError = StorageUnavailable | StorageConflict

/**
 * The errors of a write. After one in a transaction, that transaction can only be rolled back. A write outside a
 * transaction is a transaction of its own, and can fail with `StorageConflict` as well.
 */
export type WriteError = ReadError | UniqueViolation | ReferenceViolation

/** The rows that {@link RecordsAdapter.claim} changes: the first `limit` in order that match and are not locked. */
export interface Claim {
  /** The condition that rows match. */
  readonly where: AnyWhere
  /** Columns to sort by, ascending, as in {@link Find}. */
  readonly orderBy: ReadonlyArray<string>
  /** The maximum number of rows. */
  readonly limit: number
}

/** Wakes workers of other processes on the same store. Signals carry no data and can be lost: workers also poll. */
export interface Signals {
  /** Sends a signal after the commit of the open transaction, or immediately if no transaction is open. */
  readonly send: Effect.Effect<void>
  /**
   * Calls `onSignal` for each signal of any process, until the scope closes. It may also be called without a signal,
   * for example after the connection was lost and replaced.
   */
  readonly subscribe: (onSignal: () => void) => Effect.Effect<void, never, Scope.Scope>
  /** Signals of committed events, which wake no workers of jobs, and not their sender. By default, those above wake both. */
  readonly events?: Pick<Signals, "send" | "subscribe">
}

/** Compresses the bytes of blobs. What a store has compressed, all processes with the store can decompress. */
export interface Compression {
  /** Compresses bytes, with similar bytes as the dictionary if they are set. */
  readonly compress: (bytes: Uint8Array, dictionary?: Uint8Array) => Uint8Array
  /**
   * Returns the bytes that were compressed with this dictionary. Throws if they are corrupt, or more than `maximumBytes`.
   */
  readonly decompress: (bytes: Uint8Array, maximumBytes: number, dictionary?: Uint8Array) => Uint8Array
}

/** The methods of a store: see {@link RecordsAdapter}. */
export interface RecordsAdapterService {
  /**
   * How many independent queries to run concurrently: `unbounded` if a query is a network round trip, 1 if the
   * database runs in this process and concurrency gains nothing.
   */
  readonly concurrency: 1 | "unbounded"

  /**
   * Returns the rows that match `where`, in order, starting after `after`, at most `limit` of them. Text is ordered
   * by code point, false before true. It reads everything that was committed before it started and, in a transaction,
   * that transaction's own writes, but never another transaction's uncommitted writes. Its cost does not depend on
   * the number of rows before `after`.
   */
  find(table: AnyTable, find: Find): Effect.Effect<ReadonlyArray<PlainRow>, ReadError>

  /**
   * Executes a query of the open transaction later, as a write with `isResultUnused`, and runs `use` with its rows
   * then: before the next query of the transaction or its next savepoint, or before it ends. A failure of `use` is a
   * failure of that query, savepoint or end. Returns false, and does nothing, if the query must be executed now, as
   * outside of transactions. Undefined if the store executes everything immediately.
   */
  readonly findBeforeEnd?:
    | ((
        table: AnyTable,
        find: Find,
        use: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<void, WriteError>
      ) => Effect.Effect<boolean, ReadError>)
    | undefined

  /** Counts the rows that match `where`. */
  count(table: AnyTable, where: AnyWhere): Effect.Effect<number, ReadError>

  /**
   * Counts the rows that match `where`, grouped by the value of a column. Rows with a null in that column are not
   * counted, and values without a row are not in the result.
   */
  countBy(
    table: AnyTable,
    column: string,
    where: AnyWhere
  ): Effect.Effect<ReadonlyArray<readonly [value: Scalar, count: number]>, ReadError>

  /**
   * Returns the items that have a row which matches all terms, by descending score, then by id. When `by` is
   * `scopes`, returns scopes by the descending score of their best item, each with its best items. It reads what
   * `find` reads.
   */
  search(table: AnyTable, search: TextSearch): Effect.Effect<SearchResult, ReadError>

  /**
   * Identifies the committed state that reads outside of transactions see now. While the identifier is unchanged, no
   * process has committed a write, so that cached reads are valid. An identifier never recurs, and it may change
   * without a write.
   */
  readonly snapshot: Effect.Effect<string, ReadError>

  /**
   * Returns an identifier of the same state as `snapshot`, synchronously and for less than the cost of a query. A read that
   * starts later sees at least this state. Undefined if the store does not support it: rows are then read for each request.
   */
  readonly version?: (() => number | undefined) | undefined

  /**
   * Returns the versions that were raised since a position that it has returned before, and the position of the state that it
   * has read, which outside of transactions is at least as new as every commit before the call. A commit raises the versions
   * of the rows that it changes, in the same transaction. Returns no versions for an unknown position, such as that of a
   * server that was replaced: every version may have changed. Undefined if the store has no versions: caches then compare
   * `snapshot`. It is not called within a transaction.
   */
  readonly raisedVersions?:
    | ((since: string | undefined) => Effect.Effect<RaisedVersions, ReadError>)
    | undefined

  /**
   * Inserts the rows, all or none. Fails with `UniqueViolation` if one shares its key or a unique set with another
   * row, new or stored; otherwise with `ReferenceViolation` if one refers to no row. Rows of one call may refer to
   * each other.
   */
  insert(
    table: AnyTable,
    rows: ReadonlyArray<PlainRow>,
    options?: WriteOptions
  ): Effect.Effect<void, WriteError>

  /**
   * Inserts the rows that share neither their key nor a unique set with another row, skips the others, and returns
   * the number of inserted rows. If rows of one call share one, the first is inserted. Fails with
   * `ReferenceViolation`, and inserts none, if a row that it would insert refers to no row.
   */
  insertMissing(
    table: AnyTable,
    rows: ReadonlyArray<PlainRow>,
    options?: WriteOptions
  ): Effect.Effect<number, WriteError>

  /**
   * Changes every row that matches `where`, all or none, and returns their number. It is atomic: if several fibers or
   * processes update with a condition that the change makes false, exactly one of them matches the row. A row whose
   * values do not change is counted as well. Keys never change. Whether rows can swap values of a unique set in one
   * call is unspecified.
   */
  update(
    table: AnyTable,
    where: AnyWhere,
    change: Change,
    options?: WriteOptions
  ): Effect.Effect<number, WriteError>

  /**
   * Deletes every row that matches `where`, and the rows whose reference to it cascades, all or none. Returns the
   * number of rows of this table that matched. Fails with `ReferenceViolation` if a remaining row refers to one of
   * them by a reference that restricts.
   */
  remove(table: AnyTable, where: AnyWhere, options?: WriteOptions): Effect.Effect<number, WriteError>

  /**
   * Increments an integer column of the row that matches `where` and returns the new value, or `undefined` if no row
   * matches. `where` names the key, and may restrict other columns. Committed numbers are unique and have no gaps.
   */
  next(table: AnyTable, where: AnyWhere, column: string): Effect.Effect<number | undefined, WriteError>

  /**
   * Changes the first `limit` rows in order that match `where`, and returns them with their new values, in any order.
   * It is atomic, as `update` is. A row that another transaction is changing is skipped if the store can detect it,
   * else waited for, so concurrent calls return different rows if the change makes `where` false. It is not called
   * within a transaction.
   */
  claim(table: AnyTable, claim: Claim, change: Change): Effect.Effect<ReadonlyArray<PlainRow>, WriteError>

  /** Wakes workers of other processes. Undefined if the store cannot: workers only poll then. */
  readonly signals: Signals | undefined

  /**
   * Verifies that the store can read and write now, with a real write that leaves no data. Fails with the reason
   * `ReadOnly` if the database is read-only or its disk is full. It is cheap enough to run every second, and may
   * change the snapshot. Callers limit its duration.
   */
  readonly probe: Effect.Effect<void, StorageUnavailable>

  /** Returns the state of the store, without a query. Undefined if the store does not report it. */
  readonly statistics?: (() => StoreStatistics) | undefined

  /** Compresses the bytes of blobs. Undefined if the store does not: they are stored unchanged. */
  readonly compression?: Compression | undefined

  /**
   * Checks the structure of the files of the database, and returns descriptions of the corruption: none, or at most 100.
   * The time is proportional to the size of the database. Undefined if the store cannot check its files.
   */
  readonly checkIntegrity: Effect.Effect<ReadonlyArray<string>> | undefined

  /**
   * Creates the missing tables among these, which are the tables of a host's own features. All are created, or none.
   * Tables that they refer to come before them, or exist. A table that exists gets the columns that it lacks and that
   * `backfill` of its declaration has values for, which its rows get, and the indexes that it lacks. Otherwise it is left
   * unchanged, and compared with its declaration: fails with `TableMismatch` if they differ. Any number of processes may call
   * it concurrently. It is not called within a transaction.
   */
  createTables(tables: ReadonlyArray<AnyTable>): Effect.Effect<void, StorageUnavailable | TableMismatch>

  /**
   * Runs the effect as one transaction. If it succeeds, all of its writes are committed and durable; if it fails,
   * dies or is interrupted, all are rolled back. Transactions are serializable: they have the same results as some
   * serial execution, and one that would violate that fails with `StorageConflict`. A nested transaction is a
   * savepoint: if it fails, its own writes are rolled back and the outer transaction continues.
   */
  transaction<A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R>

  /**
   * Runs an effect whose reads see one committed state: that of its start. It writes nothing; a write is an error.
   * Writers do not wait for it, and it does not wait for them, regardless of its duration. It is not called within a
   * transaction. Absent if the store has no such transactions: callers run `transaction` instead, which can delay writers.
   */
  readTransaction?<A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R>

  /**
   * Runs an effect as one transaction that acquires these locks before its first query and holds them until it ends.
   * `self` receives the names of the locked resources (`lockName`). Of a row lock, the resource is the one that the
   * row named before the wait, so the caller verifies it. Not called within a transaction. Absent if transactions do not run
   * concurrently: then `Records` calls `transaction`. Transactions with the same `like` and locks begin with the same reads.
   *
   * - Two of these transactions that hold the same lock, one of them exclusively, do not overlap: each query reads all
   *   writes of the earlier one. Others do not conflict, and each of their statements is atomic.
   * - It never overlaps with a transaction of `transaction`, or a write outside of a transaction.
   * - Waiters are served in order. One that waits for too long fails with `StorageUnavailable` and the reason
   *   `Contention`.
   */
  lockedTransaction?<A, E, R>(
    locks: ReadonlyArray<Lock>,
    self: (names: ReadonlySet<string>) => Effect.Effect<A, E, R>,
    like?: string
  ): Effect.Effect<A, E | ReadError, R>

  /**
   * Acquires further locks in the open transaction of `lockedTransaction` of the fiber, and returns their names. They are
   * held until it ends, or the savepoint is rolled back in which they were acquired. Transactions that wait for each other
   * fail with `StorageConflict`. Present if `lockedTransaction` is.
   */
  acquireLocks?(locks: ReadonlyArray<Lock>): Effect.Effect<ReadonlySet<string>, ReadError>

  /**
   * The connection of the open transaction of the fiber, for statements of the host. It is not called outside of a
   * transaction. Absent if the store has no connection that a host can use.
   */
  readonly hostConnection?: Effect.Effect<HostConnection>

  /**
   * Joins a transaction that the host has begun on a connection of its own. Dies with `HostTransactionError` and the reason
   * `NotJoinable` unless it is open, accepts writes, and its statements read everything that is committed when they start.
   * Locks are acquired with `acquireLocks`. Absent if the store has no connections of a host.
   */
  joinTransaction?(transaction: JoinableTransaction): Effect.Effect<JoinedConnection, ReadError>
}

/** The storage port. An adapter provides this service; `Records.layer` requires it. */
export class RecordsAdapter extends Context.Service<RecordsAdapter, RecordsAdapterService>()(
  "@lectern/core/RecordsAdapter"
) {}
