/**
 * The port that a store implements to hold records. It is flat: rows are plain objects, with the values of
 * their columns as `Table.ts` describes them. The typed face over it is `Records`, written once.
 *
 * Each method's comment states what an implementation must keep to, in sentences; `storageLaws` of the testkit
 * has a case for each.
 */
import { Context, type Effect } from "effect"
import type {
  ReferenceViolation,
  StorageConflict,
  StorageUnavailable,
  TableMismatch,
  UniqueViolation
} from "./StorageError.ts"
import type { AnyTable } from "./Table.ts"
import type { AnyWhere, Scalar } from "./Where.ts"

/** A row as the port passes it: a value for each column of its table, null where the column is null. */
export type PlainRow = { readonly [column: string]: unknown }

/** What {@link RecordsAdapter.find} looks for. */
export interface Find {
  readonly where: AnyWhere
  /** Columns in order of weight, null in none of the rows that `where` holds for. The port appends the table's key, so an order is total. */
  readonly orderBy: ReadonlyArray<string>
  readonly direction: "asc" | "desc"
  /** Only rows that come after this one: its values of `orderBy`, then of the key columns not among them. */
  readonly after?: ReadonlyArray<Scalar>
  /** At most so many rows. 0 gives none. */
  readonly limit?: number
  /** The columns that are asked for; a row may have others too. All by default. */
  readonly select?: ReadonlyArray<string>
}

/** Words that are looked for together. None is empty, and none has a character that is no letter, digit or pictogram. */
export interface SearchTerm {
  /** Words that stand one behind the other, in the title or in the body. At least one. */
  readonly phrase: ReadonlyArray<string>
  /** Or a word, in the title, the body or the forms, that begins like this. */
  readonly prefix?: string
}

/** What {@link RecordsAdapter.search} looks for, in a table with full text. */
export interface TextSearch {
  /** All of them have to be in a row. At least one. */
  readonly terms: ReadonlyArray<SearchTerm>
  /** Only in rows of this scope; in all by default. */
  readonly scope?: string
  /** Only in rows under this condition, which is on the scope alone. */
  readonly where: AnyWhere
  /** `items` lists what is found; `scopes` lists scopes, by the best that is found in each. */
  readonly by: "items" | "scopes"
  /** At most so many items of a scope, where scopes are listed. */
  readonly most: number
  /** Only what comes behind this one in the list. */
  readonly after?: { readonly score: number; readonly id: string }
  /** At most so many items, or scopes. */
  readonly limit: number
}

/** An item that was found. */
export interface SearchHit {
  readonly scope: string
  readonly item: string
  /** How well it fits, by the store's own measure: the larger the better. */
  readonly score: number
  /** Of the list's entry that it belongs to: the best score in its scope where scopes are listed, else its own. */
  readonly best: number
}

/** What {@link RecordsAdapter.search} found. */
export interface SearchResult {
  /** How many items, or scopes, there are in the whole list. */
  readonly count: number
  readonly hits: ReadonlyArray<SearchHit>
}

/** What {@link RecordsAdapter.update} does to each row that it finds. */
export interface Change {
  /** New values, by column. */
  readonly set: PlainRow
  /**
   * Integers to add to integer columns; null stays null. A column is in `set` or in `add`, not in both. None is in a
   * unique set, for two rows could share a number on the way to where they do not.
   */
  readonly add: { readonly [column: string]: number }
}

/** How reading can fail. `StorageConflict` comes from within a transaction only. */
export type ReadError = StorageUnavailable | StorageConflict

/**
 * How writing can fail. After a failure in a transaction, that transaction can only be rolled back. A write outside a
 * transaction is one of its own, and may fail with `StorageConflict` as well.
 */
export type WriteError = ReadError | UniqueViolation | ReferenceViolation

/** The port. A store provides it as a service; `Records.layer` builds on it. */
export class RecordsAdapter extends Context.Service<
  RecordsAdapter,
  {
    /**
     * How many look-ups to ask for at once, where several do not depend on each other: `unbounded` where an answer
     * takes a way over the network, 1 where it is there before another could be asked for.
     */
    readonly concurrency: 1 | "unbounded"

    /**
     * The rows that `where` holds for, in order, after `after`, at most `limit` of them. Text is ordered by code
     * point, false before true. It sees what was committed before it began, and in a transaction what that
     * transaction wrote, never what another has not committed. Its cost does not grow with the number of rows
     * before `after`.
     */
    find(table: AnyTable, find: Find): Effect.Effect<ReadonlyArray<PlainRow>, ReadError>

    /** The number of rows that `where` holds for. */
    count(table: AnyTable, where: AnyWhere): Effect.Effect<number, ReadError>

    /**
     * The number of rows that `where` holds for, by the value of a column; rows where it is null are left out,
     * and a value without a row is not in the answer.
     */
    countBy(
      table: AnyTable,
      column: string,
      where: AnyWhere
    ): Effect.Effect<ReadonlyArray<readonly [value: Scalar, count: number]>, ReadError>

    /**
     * The items of a table with full text in one row of which all of the terms are: the best first, of equals by their
     * id. Where scopes are listed, scopes in the order of their best, in each its best items. It sees what `find` sees.
     */
    search(table: AnyTable, search: TextSearch): Effect.Effect<SearchResult, ReadError>

    /**
     * Names what reads outside of transactions see now: as long as the name is the same, nothing has been committed, by
     * whatever process, and what was read is what would be read again. A name does not come back, and it may change
     * though nothing did.
     */
    readonly snapshot: Effect.Effect<string, ReadError>

    /**
     * Adds the rows, all or none. Fails with `UniqueViolation` where one shares its key or a unique set with
     * another row, new or old, else with `ReferenceViolation` where one refers to no row; the rows of one call may
     * refer to each other.
     */
    insert(table: AnyTable, rows: ReadonlyArray<PlainRow>): Effect.Effect<void, WriteError>

    /**
     * Adds those of the rows that share neither their key nor a unique set with another, old or new, and answers how
     * many; the others are left out. Of rows of one call that share one, the first is added. Fails with
     * `ReferenceViolation`, and adds none, where one that it would add refers to no row.
     */
    insertMissing(table: AnyTable, rows: ReadonlyArray<PlainRow>): Effect.Effect<number, WriteError>

    /**
     * Changes every row that `where` holds for, all or none, and answers how many there were. It is one step: of
     * several fibers or processes that update with a `where` which the change makes false, exactly one finds the
     * row. A change that leaves a row as it was counts too. The key does not change. Where several rows change
     * places within a unique set, it may be refused or not: do not ask for that.
     */
    update(table: AnyTable, where: AnyWhere, change: Change): Effect.Effect<number, WriteError>

    /**
     * Removes every row that `where` holds for, with the rows that refer to it and cascade, all or none, and
     * answers how many of this table were found by `where`. Fails with `ReferenceViolation` where a row that is
     * left refers to one of them and does not cascade.
     */
    remove(table: AnyTable, where: AnyWhere): Effect.Effect<number, WriteError>

    /**
     * Adds one to an integer column of the row with this key, and answers the new value; `undefined` where there
     * is no such row. No two callers get the same number, and after a commit none is left out.
     */
    next(table: AnyTable, key: PlainRow, column: string): Effect.Effect<number | undefined, WriteError>

    /**
     * Creates those of the tables that do not exist: the tables of a host's own features. All are created, or none.
     * Tables that they refer to come before them, or exist. A table that exists is left as it is, and compared with
     * its declaration: fails with `TableMismatch` if they differ. Any number of processes may call it at once. It is
     * not called within a transaction.
     */
    createTables(tables: ReadonlyArray<AnyTable>): Effect.Effect<void, StorageUnavailable | TableMismatch>

    /**
     * Runs the effect as one transaction: when it succeeds, all of its writes are committed and last; when it
     * fails, dies or is interrupted, nothing of it is left. Transactions are serializable: there is an order in
     * which they could have run one after the other with the same answers; one that finds no place in it fails
     * with `StorageConflict`. Within a transaction, another one is a part of it that can fail by itself: when it
     * does, its own writes are undone and the outer one goes on.
     */
    transaction<A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R>
  }
>()("@lectern/core/RecordsAdapter") {}
