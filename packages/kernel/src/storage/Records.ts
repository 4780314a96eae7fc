/**
 * Typed access to the rows of a store, over a `RecordsAdapter`.
 *
 * It types rows by the declarations of tables, retries conflicting transactions, and converts errors that no caller can
 * handle to defects. All reads and writes of core go through it. The service accepts tables without protection;
 * protected tables are accessible through the records of a grant, which `@lectern/access` issues.
 */
import { Context, Effect, Layer } from "effect"
import { makeCacheVersions } from "./cacheVersions.ts"
import {
  isInTransaction,
  makeRunInTransaction,
  runRead,
  runUniqueWrite,
  runWrite,
  sendAfterCommit
} from "./currentTransaction.ts"
import {
  type Claim,
  type Find,
  type PlainRow,
  RecordsAdapter,
  type WriteError,
  type WriteOptions
} from "./RecordsAdapter.ts"
import type { Additions, FindOptions, Selected, WritableRecords } from "./RecordVerbs.ts"
import { EventRetention, RecordedResources } from "./ResourceEvents.ts"
import { recordingAdapter, writeOutbox } from "./recordChanges.ts"
import { requireWithin, type Scope, within } from "./Scope.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import { scopedRecords } from "./scopedRecords.ts"
import type { AnyTable, Changes, Key, Row, UnprotectedTable } from "./Table.ts"
import { makeTransactions } from "./transactions.ts"
import * as Where from "./Where.ts"

const withoutResult: WriteOptions = { isResultUnused: true }

/** Creates records of every table, limited to a scope. They use the transaction of the fiber that runs them. */
const makeScopedRecords = (
  adapter: RecordsAdapter["Service"],
  scope: Scope | undefined
): WritableRecords<AnyTable> => {
  const zipOptions = { concurrent: adapter.concurrency === "unbounded" }

  const limited = (table: AnyTable, where: unknown): Where.AnyWhere =>
    within(scope, table, where as Where.AnyWhere)

  const toFind = <T extends AnyTable, K extends keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>
  ): Find => ({
    where: limited(table, options.where ?? Where.all),
    orderBy: options.orderBy ?? table.key,
    direction: options.direction ?? "asc",
    ...(options.after === undefined ? {} : { after: options.after }),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.select === undefined ? {} : { select: options.select as ReadonlyArray<string> })
  })

  const find = <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>
  ): Effect.Effect<ReadonlyArray<Selected<Row<T>, K>>, StorageUnavailable> =>
    runRead(table, adapter.find(table, toFind(table, options))) as Effect.Effect<
      ReadonlyArray<Selected<Row<T>, K>>,
      StorageUnavailable
    >

  const findBeforeEnd = <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>,
    use: (rows: ReadonlyArray<Selected<Row<T>, K>>) => Effect.Effect<void, StorageUnavailable>
  ): Effect.Effect<void, StorageUnavailable> => {
    const { findBeforeEnd: add } = adapter
    return Effect.withFiber((fiber) => {
      const runInTransaction = makeRunInTransaction(fiber)
      const useAll = (rows: ReadonlyArray<PlainRow>) =>
        runInTransaction(use(rows as ReadonlyArray<Selected<Row<T>, K>>))
      const findNow = Effect.flatMap(find(table, options), useAll)
      if (add === undefined) return findNow
      const added = runRead(table, add(table, toFind(table, options), useAll))
      return Effect.flatMap(added, (isLater) => (isLater ? Effect.void : findNow))
    })
  }

  /** Updates the rows in the scope. Values outside of it are a defect. */
  const change = <T extends AnyTable>(
    table: T,
    where: Where.Where<Row<T>>,
    set: Changes<T>,
    add: Additions<T>,
    options?: WriteOptions
  ): Effect.Effect<number, WriteError> =>
    Effect.suspend(() => {
      requireWithin(scope, table, set as PlainRow)
      const change = { set: set as PlainRow, add: add as { readonly [column: string]: number } }
      return adapter.update(table, limited(table, where), change, options)
    })

  const add = <T extends AnyTable>(
    method: "insert" | "insertMissing",
    table: T,
    rows: ReadonlyArray<Row<T>>,
    options?: WriteOptions
  ) =>
    Effect.suspend((): Effect.Effect<number | void, WriteError> => {
      for (const row of rows) requireWithin(scope, table, row as PlainRow)
      return adapter[method](table, rows as ReadonlyArray<PlainRow>, options)
    })

  const whereKey = (table: AnyTable, key: PlainRow): Where.AnyWhere =>
    table.key.length === 1
      ? { op: "eq", column: table.key[0]!, value: key[table.key[0]!] as Where.Scalar }
      : {
          op: "and",
          conditions: table.key.map((column) => ({ op: "eq", column, value: key[column] as Where.Scalar }))
        }

  return {
    zipConcurrent: (one, other) => Effect.zip(one, other, zipOptions),

    first: <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
      table: T,
      options: FindOptions<Row<T>, K>
    ) => Effect.map(find<T, K>(table, { ...options, limit: 1 }), (rows) => rows[0]),

    get: <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
      table: T,
      key: Key<T>,
      select?: ReadonlyArray<K>
    ) =>
      Effect.map(
        find<T, K>(table, {
          where: whereKey(table, key as PlainRow) as Where.Where<Row<T>>,
          limit: 1,
          ...(select === undefined ? {} : { select })
        }),
        (rows) => rows[0]
      ),

    find,

    findsBeforeEnd: adapter.findBeforeEnd !== undefined,

    findBeforeEnd,

    count: (table, where) => runRead(table, adapter.count(table, limited(table, where))),

    search: (table, search) =>
      runRead(table, adapter.search(table, { ...search, where: limited(table, search.where) })),

    countBy: (table, column, where) =>
      Effect.map(
        runRead(table, adapter.countBy(table, column, limited(table, where))),
        (entries) => new Map(entries)
      ),

    inSelect: (column, table, select, where) => ({
      op: "inSelect",
      column,
      // The brand states that `where` is limited to the scope.
      table: table as AnyTable as Where.SelectableTable,
      select,
      where: limited(table, where)
    }),

    insert: (table, row) => Effect.asVoid(runUniqueWrite(table, add("insert", table, [row], withoutResult))),

    tryInsert: (table, row) => Effect.asVoid(runWrite(table, add("insert", table, [row]))),

    insertMany: (table, rows) =>
      rows.length === 0
        ? Effect.void
        : Effect.asVoid(runUniqueWrite(table, add("insert", table, rows, withoutResult))),

    insertMissing: (table, rows) =>
      rows.length === 0
        ? Effect.succeed(0)
        : (runUniqueWrite(table, add("insertMissing", table, rows)) as Effect.Effect<
            number,
            StorageUnavailable
          >),

    insertMissingUncounted: (table, rows) =>
      rows.length === 0
        ? Effect.void
        : Effect.asVoid(runUniqueWrite(table, add("insertMissing", table, rows, withoutResult))),

    update: (table, where, set, additions = {}) =>
      runUniqueWrite(table, change(table, where, set, additions)),

    updateUncounted: (table, where, set, additions = {}) =>
      Effect.asVoid(runUniqueWrite(table, change(table, where, set, additions, withoutResult))),

    tryUpdate: (table, where, set, additions = {}) => runWrite(table, change(table, where, set, additions)),

    remove: (table, where) => runUniqueWrite(table, adapter.remove(table, limited(table, where))),

    removeUncounted: (table, where) =>
      Effect.asVoid(runUniqueWrite(table, adapter.remove(table, limited(table, where), withoutResult))),

    next: (table, key, column) =>
      runUniqueWrite(table, adapter.next(table, limited(table, whereKey(table, key as PlainRow)), column)),

    isInTransaction,

    compression: adapter.compression
  }
}

const makeRecords = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  const resources = (yield* EventRetention) > 0 ? yield* RecordedResources : []
  const listeners = new Set<() => void>()
  const { recorded, ...transactions } = makeTransactions(
    store,
    resources.length === 0
      ? undefined
      : {
          write: (changes) => writeOutbox(store, changes),
          committed: Effect.sync(() => {
            for (const listen of listeners) listen()
          })
        }
  )
  const adapter =
    resources.length === 0
      ? store
      : recordingAdapter(store, new Map(resources.map((source) => [source.table.name, source])), recorded)
  const unscoped: WritableRecords<UnprotectedTable> = makeScopedRecords(adapter, undefined)

  return Object.assign(unscoped, {
    /** Verifies that the store can read and write now. See `RecordsAdapter.probe`. */
    probe: adapter.probe,

    /** Returns the state of the store, or undefined. See `RecordsAdapter.statistics`. */
    statistics: adapter.statistics,

    /** Checks the structure of the files of the database. See `RecordsAdapter.checkIntegrity`. */
    checkIntegrity: adapter.checkIntegrity,

    /** Wakes workers of other processes, or undefined. See `RecordsAdapter.signals`. */
    signals: adapter.signals && { ...adapter.signals, send: sendAfterCommit(adapter.signals.send) },

    /**
     * Changes the first `limit` rows in order that match and that no other transaction is changing, and returns them
     * with their new values. See `RecordsAdapter.claim`. Not part of a transaction.
     */
    claim: <T extends UnprotectedTable>(
      table: T,
      claim: {
        readonly where: Where.Where<Row<T>>
        readonly orderBy: ReadonlyArray<keyof Row<T> & string>
        readonly limit: number
      },
      set: Changes<T>,
      add: Additions<T> = {}
    ): Effect.Effect<ReadonlyArray<Row<T>>, StorageUnavailable> =>
      runUniqueWrite(
        table,
        adapter.claim(table, claim as Claim, {
          set: set as PlainRow,
          add: add as { readonly [column: string]: number }
        })
      ) as Effect.Effect<ReadonlyArray<Row<T>>, StorageUnavailable>,

    /** The versions that cached rows depend on. */
    cacheVersions: makeCacheVersions(store),

    [scopedRecords]: (scope: Scope | undefined): WritableRecords<AnyTable> =>
      makeScopedRecords(adapter, scope),

    /** Calls `listen` after each commit of this process that has events, until the returned function is called. */
    onEventsCommitted: (listen: () => void): (() => void) => {
      listeners.add(listen)
      return () => {
        listeners.delete(listen)
      }
    },

    ...transactions
  })
})

/** The methods of {@link Records}. */
export interface RecordsService extends Effect.Success<typeof makeRecords> {}

/**
 * The rows of the workspace, with transactions. Tables that require a grant are accessible through the `records` of an
 * authorization instead.
 */
export class Records extends Context.Service<Records, RecordsService>()("@lectern/core/Records") {
  /** Provides the records of an adapter. */
  static readonly layer: Layer.Layer<Records, never, RecordsAdapter> = Layer.effect(Records, makeRecords)
}

/** Returns the position of a row in an order, for `FindOptions.after`. */
export const positionOf = <T extends AnyTable>(
  table: T,
  orderBy: ReadonlyArray<keyof Row<T> & string>,
  row: Row<T>
): ReadonlyArray<Where.Scalar> =>
  totalOrder(table, orderBy).map((column) => (row as PlainRow)[column] as Where.Scalar)

/** Returns a total order: the columns, followed by the columns of the key that are not among them. */
export const totalOrder = (table: AnyTable, orderBy: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...orderBy,
  ...table.key.filter((column) => !orderBy.includes(column))
]
