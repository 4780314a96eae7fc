/** A storage adapter that wraps another one: it measures the queries and writes, for example for the host's metrics. */
import { RecordsAdapter, type Table } from "@lectern/core"
import { Effect, Layer } from "effect"

/** The operations of a store that are measured. */
export type MeasuredOperation =
  | "find"
  | "count"
  | "countBy"
  | "search"
  | "insert"
  | "insertMissing"
  | "update"
  | "remove"
  | "next"
  | "claim"

/** Receives the name of an operation, that of its table, and its duration in milliseconds. */
export type OnMeasured = (operation: MeasuredOperation, table: string, durationMs: number) => void

/**
 * Returns a store that passes every call to `storage`, and measures it. Transactions, signals and everything else have the behavior of
 * `storage`.
 */
export const measuredStorage = <E>(
  storage: Layer.Layer<RecordsAdapter, E>,
  onMeasured: OnMeasured
): Layer.Layer<RecordsAdapter, E> =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (store) => {
      const measure = <A, Failure, R>(
        operation: MeasuredOperation,
        table: Table.AnyTable,
        self: Effect.Effect<A, Failure, R>
      ) =>
        Effect.suspend(() => {
          const started = performance.now()
          return Effect.ensuring(
            self,
            Effect.sync(() => onMeasured(operation, table.name, performance.now() - started))
          )
        })
      return RecordsAdapter.of({
        ...store,
        find: (table, find) => measure("find", table, store.find(table, find)),
        count: (table, where) => measure("count", table, store.count(table, where)),
        countBy: (table, column, where) => measure("countBy", table, store.countBy(table, column, where)),
        search: (table, search) => measure("search", table, store.search(table, search)),
        insert: (table, rows) => measure("insert", table, store.insert(table, rows)),
        insertMissing: (table, rows) => measure("insertMissing", table, store.insertMissing(table, rows)),
        update: (table, where, change) => measure("update", table, store.update(table, where, change)),
        remove: (table, where) => measure("remove", table, store.remove(table, where)),
        next: (table, where, column) => measure("next", table, store.next(table, where, column)),
        claim: (table, claim, change) => measure("claim", table, store.claim(table, claim, change))
      })
    })
  ).pipe(Layer.provide(storage))
