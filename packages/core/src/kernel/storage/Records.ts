/**
 * The records of the workspace: the typed face over a `RecordsAdapter`, written once for all stores.
 *
 * It gives rows their types, puts the transaction in one place (with its retries), and turns what no caller
 * can mend into defects. Core reads and writes through it and through nothing else.
 */
import { Context, Duration, Effect, Layer, Schedule } from "effect"
import {
  type PlainRow,
  type ReadError,
  RecordsAdapter,
  type SearchResult,
  type TextSearch,
  type WriteError
} from "./RecordsAdapter.ts"
import { StorageUnavailable, type UniqueViolation } from "./StorageError.ts"
import type { AnyTable, Changes, Key, Row } from "./Table.ts"
import * as Where from "./Where.ts"

/** A list to read: which rows, in which order, from where, how many. */
export interface FindOptions<R, K extends keyof R = keyof R> {
  /** The columns that are needed, where that is few of many; all by default. */
  readonly select?: ReadonlyArray<K>
  /** Every row by default. */
  readonly where?: Where.Where<R>
  /** Columns in order of weight; the table's key breaks ties and is the default. In no row found may one be null. */
  readonly orderBy?: ReadonlyArray<keyof R & string>
  /** `asc` by default. It holds for all columns alike. */
  readonly direction?: "asc" | "desc"
  /** Only rows after this position, as {@link positionOf} gives it. */
  readonly after?: ReadonlyArray<Where.Scalar>
  /** At most so many; all by default. */
  readonly limit?: number
}

/** A row with the selected columns: the row itself where all are. */
export type Selected<R, K extends keyof R> = [keyof R] extends [K] ? R : Pick<R, K>

/** Numbers to add to columns of a table. */
export type Additions<T extends AnyTable> = { readonly [K in keyof Changes<T> & string]?: number }

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

const makeRecords = Effect.gen(function* () {
  const adapter = yield* RecordsAdapter

  const together = { concurrent: adapter.concurrency === "unbounded" }

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

  const find = <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
    table: T,
    options: FindOptions<Row<T>, K>
  ): Effect.Effect<ReadonlyArray<Selected<Row<T>, K>>, StorageUnavailable> =>
    read(
      adapter.find(table, {
        where: (options.where ?? Where.all) as Where.AnyWhere,
        orderBy: options.orderBy ?? table.key,
        direction: options.direction ?? "asc",
        ...(options.after === undefined ? {} : { after: options.after }),
        ...(options.limit === undefined ? {} : { limit: options.limit }),
        ...(options.select === undefined ? {} : { select: options.select as ReadonlyArray<string> })
      })
    ) as Effect.Effect<ReadonlyArray<Selected<Row<T>, K>>, StorageUnavailable>

  const change = <T extends AnyTable>(
    table: T,
    where: Where.Where<Row<T>>,
    set: Changes<T>,
    add: Additions<T>
  ): Effect.Effect<number, WriteError> =>
    adapter.update(table, where as Where.AnyWhere, {
      set: set as PlainRow,
      add: add as { readonly [column: string]: number }
    })

  const whereKey = (table: AnyTable, key: PlainRow): Where.AnyWhere =>
    table.key.length === 1
      ? { op: "eq", column: table.key[0]!, value: key[table.key[0]!] as Where.Scalar }
      : {
          op: "and",
          conditions: table.key.map((column) => ({ op: "eq", column, value: key[column] as Where.Scalar }))
        }

  return {
    /** Two look-ups that do not depend on each other. See `RecordsAdapter.concurrency`. */
    both: <A, E, R, A2, E2, R2>(
      one: Effect.Effect<A, E, R>,
      other: Effect.Effect<A2, E2, R2>
    ): Effect.Effect<[A, A2], E | E2, R | R2> => Effect.zip(one, other, together),

    /** See `RecordsAdapter.snapshot`. Undefined in a transaction, which sees what nobody else does. */
    snapshot: Effect.flatMap(isInTransaction, (isIn) =>
      isIn ? Effect.succeed(undefined) : read(adapter.snapshot)
    ),

    /** The first row that the options find, or `undefined`. */
    first: <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
      table: T,
      options: FindOptions<Row<T>, K>
    ): Effect.Effect<Selected<Row<T>, K> | undefined, StorageUnavailable> =>
      Effect.map(find(table, { ...options, limit: 1 }), (rows) => rows[0]),

    /** The row with this key, or `undefined`. Of a row with many columns, `select` names the few that are needed. */
    get: <T extends AnyTable, K extends keyof Row<T> = keyof Row<T>>(
      table: T,
      key: Key<T>,
      select?: ReadonlyArray<K>
    ): Effect.Effect<Selected<Row<T>, K> | undefined, StorageUnavailable> =>
      Effect.map(
        find<T, K>(table, {
          where: whereKey(table, key as PlainRow) as Where.Where<Row<T>>,
          limit: 1,
          ...(select === undefined ? {} : { select })
        }),
        (rows) => rows[0]
      ),

    /** The rows that the options find. See `RecordsAdapter.find`. */
    find,

    /** How many rows there are under a condition. */
    count: <T extends AnyTable>(
      table: T,
      where: Where.Where<Row<T>>
    ): Effect.Effect<number, StorageUnavailable> => read(adapter.count(table, where as Where.AnyWhere)),

    /** The items that have all of the terms in them. See `RecordsAdapter.search`. */
    search: (table: AnyTable, search: TextSearch): Effect.Effect<SearchResult, StorageUnavailable> =>
      read(adapter.search(table, search)),

    /** How many rows there are for each value of a column. Values without a row are not in the map. */
    countBy: <T extends AnyTable, C extends keyof Row<T> & string>(
      table: T,
      column: C,
      where: Where.Where<Row<T>>
    ): Effect.Effect<ReadonlyMap<Where.Scalar, number>, StorageUnavailable> =>
      Effect.map(
        read(adapter.countBy(table, column, where as Where.AnyWhere)),
        (entries) => new Map(entries)
      ),

    /** Adds a row whose key and unique sets are known to be free: that they are taken is a defect. */
    insert: <T extends AnyTable>(table: T, row: Row<T>): Effect.Effect<void, StorageUnavailable> =>
      writeOnly(adapter.insert(table, [row as PlainRow])),

    /** Adds a row, where its key and its unique sets are free. */
    tryInsert: <T extends AnyTable>(
      table: T,
      row: Row<T>
    ): Effect.Effect<void, UniqueViolation | StorageUnavailable> =>
      write(adapter.insert(table, [row as PlainRow])),

    /** Adds rows, all or none, as {@link insert} does. */
    insertMany: <T extends AnyTable>(
      table: T,
      rows: ReadonlyArray<Row<T>>
    ): Effect.Effect<void, StorageUnavailable> =>
      rows.length === 0 ? Effect.void : writeOnly(adapter.insert(table, rows as ReadonlyArray<PlainRow>)),

    /** Adds those of the rows that are not there yet, and answers how many. See `RecordsAdapter.insertMissing`. */
    insertMissing: <T extends AnyTable>(
      table: T,
      rows: ReadonlyArray<Row<T>>
    ): Effect.Effect<number, StorageUnavailable> =>
      rows.length === 0
        ? Effect.succeed(0)
        : writeOnly(adapter.insertMissing(table, rows as ReadonlyArray<PlainRow>)),

    /** Changes all rows under a condition, in one step, and answers how many. See `RecordsAdapter.update`. */
    update: <T extends AnyTable>(
      table: T,
      where: Where.Where<Row<T>>,
      set: Changes<T>,
      add: Additions<T> = {}
    ): Effect.Effect<number, StorageUnavailable> => writeOnly(change(table, where, set, add)),

    /** As {@link update}, where the new values may be taken: fails with `UniqueViolation` then. */
    tryUpdate: <T extends AnyTable>(
      table: T,
      where: Where.Where<Row<T>>,
      set: Changes<T>,
      add: Additions<T> = {}
    ): Effect.Effect<number, UniqueViolation | StorageUnavailable> => write(change(table, where, set, add)),

    /** Removes all rows under a condition, and answers how many. See `RecordsAdapter.remove`. */
    remove: <T extends AnyTable>(
      table: T,
      where: Where.Where<Row<T>>
    ): Effect.Effect<number, StorageUnavailable> => writeOnly(adapter.remove(table, where as Where.AnyWhere)),

    /** The next number of a counter column: dense, and no two callers get the same. */
    next: <T extends AnyTable>(
      table: T,
      key: Key<T>,
      column: keyof Changes<T> & string
    ): Effect.Effect<number | undefined, StorageUnavailable> =>
      writeOnly(adapter.next(table, key as PlainRow, column)),

    /** Whether this is in a transaction: what it reads may be what that has written, and be undone with it. */
    isInTransaction,

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
