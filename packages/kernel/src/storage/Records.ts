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
import { RecordsAdapter, type WriteError, type WriteOptions } from "./RecordsAdapter.ts"
import type { Additions, FindOptions, ReadableRecords, Selected, WritableRecords } from "./RecordVerbs.ts"
import { EventRetention, RecordedResources } from "./ResourceEvents.ts"
import { recordingAdapter, writeOutbox } from "./recordChanges.ts"
import { whereKey } from "./rowKeys.ts"
import { requireWithin, type Scope, within } from "./Scope.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import { scopedRecords } from "./scopedRecords.ts"
import { selectable } from "./selectable.ts"
import type { AnyTable, Changes, Key, Row, UnprotectedTable } from "./Table.ts"
import { plainRow, type TableClaim, type TableFind, type TableStore, tableStore } from "./TableStore.ts"
import { makeTransactions } from "./transactions.ts"
import * as Where from "./Where.ts"

const withoutResult: WriteOptions = { isResultUnused: true }

/** Creates the verbs that read rows of every table within a scope. */
const makeReadVerbs = (
  store: TableStore,
  scope: Scope | undefined
): ReadableRecords<AnyTable> & Pick<WritableRecords<AnyTable>, "findsBeforeEnd" | "findBeforeEnd"> => {
  const zipOptions = { concurrent: store.concurrency === "unbounded" }

  /** The options of a query, with any condition. */
  type Options<R, K extends keyof R> = Omit<FindOptions<R, K>, "where"> & { readonly where?: Where.AnyWhere }

  const toFind = <T extends AnyTable, K extends keyof Row<T>>(
    table: T,
    options: Options<Row<T>, K>
  ): TableFind<K> => ({
    ...options,
    where: within(scope, table, options.where ?? Where.all),
    orderBy: options.orderBy ?? table.key,
    direction: options.direction ?? "asc"
  })

  const find = <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: Options<Row<T>, K>
  ) => runRead(table, store.find<T, K>(table, toFind(table, options)))

  return {
    zipConcurrent: (one, other) => Effect.zip(one, other, zipOptions),

    find,

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
          where: whereKey(table, key),
          limit: 1,
          ...(select === undefined ? {} : { select })
        }),
        (rows) => rows[0]
      ),

    findsBeforeEnd: store.findBeforeEnd !== undefined,

    findBeforeEnd: <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
      table: T,
      options: FindOptions<Row<T>, K>,
      use: (rows: ReadonlyArray<Selected<Row<T>, K>>) => Effect.Effect<void, StorageUnavailable>
    ) =>
      Effect.withFiber((fiber) => {
        const runInTransaction = makeRunInTransaction(fiber)
        const useAll = (rows: ReadonlyArray<Selected<Row<T>, K>>) => runInTransaction(use(rows))
        const findNow = Effect.flatMap(find<T, K>(table, options), useAll)
        if (store.findBeforeEnd === undefined) return findNow
        const added = runRead(table, store.findBeforeEnd<T, K>(table, toFind(table, options), useAll))
        return Effect.flatMap(added, (isLater) => (isLater ? Effect.void : findNow))
      }),

    count: (table, where) => runRead(table, store.count(table, within(scope, table, where))),

    search: (table, search) =>
      runRead(table, store.search(table, { ...search, where: within(scope, table, search.where) })),

    countBy: (table, column, where) =>
      Effect.map(
        runRead(table, store.countBy(table, column, within(scope, table, where))),
        (entries) => new Map(entries)
      ),

    inSelect: (column, table, select, where) => ({
      op: "inSelect",
      column,
      table: selectable(table),
      select,
      where: within(scope, table, where)
    }),

    isInTransaction,

    compression: store.compression
  }
}

/** Creates records of every table, limited to a scope. They use the transaction of the fiber that runs them. */
const makeScopedRecords = (store: TableStore, scope: Scope | undefined): WritableRecords<AnyTable> => {
  /** Updates the rows in the scope. Values outside of it are a defect. */
  const change = <T extends AnyTable>(
    table: T,
    where: Where.Where<Row<T>>,
    set: Changes<T>,
    add: Additions<T>,
    options?: WriteOptions
  ): Effect.Effect<number, WriteError> =>
    Effect.suspend(() => {
      requireWithin(scope, table, set)
      return store.update(table, within(scope, table, where), { set, add }, options)
    })

  /** Writes rows in the scope with a verb. Rows outside of it are a defect. */
  const add = <T extends AnyTable, A>(
    write: (table: T, rows: ReadonlyArray<Row<T>>, options?: WriteOptions) => Effect.Effect<A, WriteError>,
    table: T,
    rows: ReadonlyArray<Row<T>>,
    options?: WriteOptions
  ): Effect.Effect<A, WriteError> =>
    Effect.suspend(() => {
      for (const row of rows) requireWithin(scope, table, plainRow(row))
      return write(table, rows, options)
    })

  const insert: TableStore["insert"] = (table, rows, options) => store.insert(table, rows, options)
  const insertMissing: TableStore["insertMissing"] = (table, rows, options) =>
    store.insertMissing(table, rows, options)

  return {
    ...makeReadVerbs(store, scope),

    insert: (table, row) => runUniqueWrite(table, add(insert, table, [row], withoutResult)),

    tryInsert: (table, row) => runWrite(table, add(insert, table, [row])),

    insertMany: (table, rows) =>
      rows.length === 0 ? Effect.void : runUniqueWrite(table, add(insert, table, rows, withoutResult)),

    insertMissing: (table, rows) =>
      rows.length === 0 ? Effect.succeed(0) : runUniqueWrite(table, add(insertMissing, table, rows)),

    insertMissingUncounted: (table, rows) =>
      rows.length === 0
        ? Effect.void
        : Effect.asVoid(runUniqueWrite(table, add(insertMissing, table, rows, withoutResult))),

    update: (table, where, set, additions = {}) =>
      runUniqueWrite(table, change(table, where, set, additions)),

    updateUncounted: (table, where, set, additions = {}) =>
      Effect.asVoid(runUniqueWrite(table, change(table, where, set, additions, withoutResult))),

    tryUpdate: (table, where, set, additions = {}) => runWrite(table, change(table, where, set, additions)),

    remove: (table, where) => runUniqueWrite(table, store.remove(table, within(scope, table, where))),

    removeUncounted: (table, where) =>
      Effect.asVoid(runUniqueWrite(table, store.remove(table, within(scope, table, where), withoutResult))),

    next: (table, key, column) =>
      runUniqueWrite(table, store.next(table, within(scope, table, whereKey(table, key)), column))
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
  const adapter = tableStore(
    resources.length === 0
      ? store
      : recordingAdapter(store, new Map(resources.map((source) => [source.table.name, source])), recorded)
  )
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
      claim: TableClaim<Row<T>>,
      set: Changes<T>,
      add: Additions<T> = {}
    ): Effect.Effect<ReadonlyArray<Row<T>>, StorageUnavailable> =>
      runUniqueWrite(table, adapter.claim(table, claim, { set, add })),

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
