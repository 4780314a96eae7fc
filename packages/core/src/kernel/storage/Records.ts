/**
 * The records of the workspace: the typed face over a `RecordsAdapter`, written once for all stores.
 *
 * It gives rows their types, puts the transaction in one place (with its retries), and turns what no caller
 * can mend into defects. Core reads and writes only through it. The service accepts tables without
 * protection; protected tables are reached through the records of a grant, which `access/` issues.
 */
import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { type PlainRow, type ReadError, RecordsAdapter, type WriteError } from "./RecordsAdapter.ts"
import type { Additions, FindOptions, Selected, WritableRecords } from "./RecordVerbs.ts"
import { requireWithin, type Scope, within } from "./Scope.ts"
import { StorageUnavailable, type UniqueViolation } from "./StorageError.ts"
import { scopedRecords } from "./scopedRecords.ts"
import type { AnyTable, Changes, Key, Row, UnprotectedTable } from "./Table.ts"
import * as Where from "./Where.ts"

const longestPause = Duration.millis(60)

/** How a transaction that met others is tried again: 30 times, from 2 ms on, doubling up to 60 ms, with jitter. */
const retries = Schedule.exponential("2 millis").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, longestPause))),
  Schedule.jittered,
  Schedule.upTo({ times: 30 })
)

/** The transaction that a fiber is in: whether one of its verbs has failed, so that it can only be undone. */
class CurrentTransaction extends Context.Service<
  CurrentTransaction,
  { failed: ReadError | WriteError | undefined }
>()("@lectern/core/storage/Records/CurrentTransaction") {}

const isInTransaction: Effect.Effect<boolean> = Effect.withFiber((fiber) =>
  Effect.succeed(Context.getOrUndefined(fiber.context, CurrentTransaction) !== undefined)
)

/** Notes a failure in the transaction, where there is one, so that nothing more is asked of it. */
const verb = <A, E extends WriteError>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.withFiber((fiber) => {
    const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
    if (transaction === undefined) return retryConflicts(effect) as Effect.Effect<A, E>
    if (transaction.failed !== undefined) return Effect.fail(transaction.failed as E)
    return Effect.tapError(effect, (error) =>
      Effect.sync(() => {
        transaction.failed = error
      })
    )
  })

/** What only reads meets no other transaction, unless it is in one. */
const read = <A>(effect: Effect.Effect<A, ReadError>): Effect.Effect<A, StorageUnavailable> =>
  Effect.withFiber((fiber) =>
    Context.getOrUndefined(fiber.context, CurrentTransaction) === undefined ? effect : verb(effect)
  ) as Effect.Effect<A, StorageUnavailable>

const write = <A>(
  effect: Effect.Effect<A, WriteError>
): Effect.Effect<A, StorageUnavailable | UniqueViolation> =>
  Effect.catchTag(verb(effect), "ReferenceViolation", Effect.die) as Effect.Effect<
    A,
    StorageUnavailable | UniqueViolation
  >

/** For verbs that cannot break a unique set: that they did is a defect. */
const writeOnly = <A>(effect: Effect.Effect<A, WriteError>): Effect.Effect<A, StorageUnavailable> =>
  Effect.catchTag(write(effect), "UniqueViolation", Effect.die)

/** The verbs over every table, limited to a scope. They are in the transaction of the fiber that runs them. */
const verbsOver = (
  adapter: RecordsAdapter["Service"],
  scope: Scope | undefined
): WritableRecords<AnyTable> => {
  const together = { concurrent: adapter.concurrency === "unbounded" }

  const limited = (table: AnyTable, where: unknown): Where.AnyWhere =>
    within(scope, table, where as Where.AnyWhere)

  const find = <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>
  ): Effect.Effect<ReadonlyArray<Selected<Row<T>, K>>, StorageUnavailable> =>
    read(
      adapter.find(table, {
        where: limited(table, options.where ?? Where.all),
        orderBy: options.orderBy ?? table.key,
        direction: options.direction ?? "asc",
        ...(options.after === undefined ? {} : { after: options.after }),
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        ...(options.select === undefined ? {} : { select: options.select as ReadonlyArray<string> })
      })
    ) as Effect.Effect<ReadonlyArray<Selected<Row<T>, K>>, StorageUnavailable>

  /** Updates the rows in the scope. Values outside of it are a defect. */
  const change = <T extends AnyTable>(
    table: T,
    where: Where.Where<Row<T>>,
    set: Changes<T>,
    add: Additions<T>
  ): Effect.Effect<number, WriteError> =>
    Effect.suspend(() => {
      requireWithin(scope, table, set as PlainRow)
      return adapter.update(table, limited(table, where), {
        set: set as PlainRow,
        add: add as { readonly [column: string]: number }
      })
    })

  const add = <T extends AnyTable>(verb: "insert" | "insertMissing", table: T, rows: ReadonlyArray<Row<T>>) =>
    Effect.suspend((): Effect.Effect<number | void, WriteError> => {
      for (const row of rows) requireWithin(scope, table, row as PlainRow)
      return adapter[verb](table, rows as ReadonlyArray<PlainRow>)
    })

  const whereKey = (table: AnyTable, key: PlainRow): Where.AnyWhere =>
    table.key.length === 1
      ? { op: "eq", column: table.key[0]!, value: key[table.key[0]!] as Where.Scalar }
      : {
          op: "and",
          conditions: table.key.map((column) => ({ op: "eq", column, value: key[column] as Where.Scalar }))
        }

  return {
    zipConcurrent: (one, other) => Effect.zip(one, other, together),

    snapshot: Effect.flatMap(isInTransaction, (isIn) =>
      isIn ? Effect.succeed(undefined) : read(adapter.snapshot)
    ),

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

    count: (table, where) => read(adapter.count(table, limited(table, where))),

    search: (table, search) =>
      read(adapter.search(table, { ...search, where: limited(table, search.where) })),

    countBy: (table, column, where) =>
      Effect.map(read(adapter.countBy(table, column, limited(table, where))), (entries) => new Map(entries)),

    inSelect: (column, table, select, where) => ({
      op: "inSelect",
      column,
      // The brand states that `where` is limited to the scope.
      table: table as AnyTable as Where.SelectableTable,
      select,
      where: limited(table, where)
    }),

    insert: (table, row) => Effect.asVoid(writeOnly(add("insert", table, [row]))),

    tryInsert: (table, row) => Effect.asVoid(write(add("insert", table, [row]))),

    insertMany: (table, rows) =>
      rows.length === 0 ? Effect.void : Effect.asVoid(writeOnly(add("insert", table, rows))),

    insertMissing: (table, rows) =>
      rows.length === 0
        ? Effect.succeed(0)
        : (writeOnly(add("insertMissing", table, rows)) as Effect.Effect<number, StorageUnavailable>),

    update: (table, where, set, additions = {}) => writeOnly(change(table, where, set, additions)),

    tryUpdate: (table, where, set, additions = {}) => write(change(table, where, set, additions)),

    remove: (table, where) => writeOnly(adapter.remove(table, limited(table, where))),

    next: (table, key, column) =>
      writeOnly(adapter.next(table, limited(table, whereKey(table, key as PlainRow)), column)),

    isInTransaction
  }
}

const makeRecords = Effect.gen(function* () {
  const adapter = yield* RecordsAdapter
  const verbs: WritableRecords<UnprotectedTable> = verbsOver(adapter, undefined)

  return {
    ...verbs,

    [scopedRecords]: (scope: Scope | undefined): WritableRecords<AnyTable> => verbsOver(adapter, scope),

    /**
     * Runs the effect as one transaction: all of it is stored, or nothing. One that meets others is run again
     * from its start, so what it does besides reading and writing records has to bear being done twice; after 30
     * tries it fails with `StorageUnavailable`. A transaction within it can fail by itself.
     */
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageUnavailable, R> =>
      Effect.withFiber((fiber) => {
        const attempt = Effect.suspend(() => {
          const transaction: CurrentTransaction["Service"] = { failed: undefined }
          const whole = Effect.flatMap(
            Effect.provideService(self, CurrentTransaction, transaction),
            (value) =>
              transaction.failed === undefined
                ? Effect.succeed(value)
                : Effect.fail(transaction.failed as never)
          )
          return adapter.transaction(whole)
        })
        const outer = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (outer === undefined) {
          return retryConflicts(attempt) as Effect.Effect<
            A,
            E | StorageUnavailable,
            Exclude<R, CurrentTransaction>
          >
        }
        return Effect.tapError(attempt, (error) =>
          Effect.sync(() => {
            // A conflict undoes the whole; it is no failure of the inner transaction alone.
            if (isConflict(error)) outer.failed = error as ReadError
          })
        ) as Effect.Effect<A, E | StorageUnavailable, Exclude<R, CurrentTransaction>>
      }) as Effect.Effect<A, E | StorageUnavailable, R>
  }
})

const isConflict = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "StorageConflict"

/** Tries again what met others. What does not, which is nearly all, costs nothing more. */
const retryConflicts = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.catchIf(isConflict, () => Effect.retry(effect, { schedule: retries, while: isConflict })),
    Effect.catchIf(isConflict, () =>
      Effect.fail(
        new StorageUnavailable({
          reason: "Contention",
          detail: "The transaction conflicted with others 30 times."
        })
      )
    )
  )

/** The methods of {@link Records}. */
export interface RecordsService extends Effect.Success<typeof makeRecords> {}

/** The records of the workspace. See the module's comment. */
export class Records extends Context.Service<Records, RecordsService>()("@lectern/core/Records") {
  /** Records over whatever adapter is provided. */
  static readonly layer: Layer.Layer<Records, never, RecordsAdapter> = Layer.effect(Records, makeRecords)
}

/** Where a row stands in an order: what `after` takes to go on behind it. */
export const positionOf = <T extends AnyTable>(
  table: T,
  orderBy: ReadonlyArray<keyof Row<T> & string>,
  row: Row<T>
): ReadonlyArray<Where.Scalar> =>
  totalOrder(table, orderBy).map((column) => (row as PlainRow)[column] as Where.Scalar)

/** An order made total: the columns, then those of the table's key that are not among them. */
export const totalOrder = (table: AnyTable, orderBy: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...orderBy,
  ...table.key.filter((column) => !orderBy.includes(column))
]
