/** Transactions of records: their locks, their retries, and the queries within them. */
import { Context, Duration, Effect, type Fiber, Metric, Schedule } from "effect"
import {
  transactionConflicts,
  transactionEscalations,
  transactionRetries
} from "../observability/transactionMetrics.ts"
import { type DeferredRow, insertDeferred } from "./deferredRows.ts"
import { type HeldLocks, heldLocks, isCovered, type Lock } from "./Lock.ts"
import type { PlainRow, ReadError, RecordsAdapter, WriteError } from "./RecordsAdapter.ts"
import { CurrentCause } from "./ResourceEvents.ts"
import type { RowChange } from "./recordChanges.ts"
import { StorageConflict, StorageUnavailable, type UniqueViolation } from "./StorageError.ts"
import type { AnyTable, Row } from "./Table.ts"

const maximumDelay = Duration.millis(60)

/** The retries of a conflicting transaction: 30, with exponential backoff from 2 ms to 60 ms, and jitter. */
const conflictRetries = Schedule.exponential("2 millis").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, maximumDelay))),
  Schedule.jittered,
  Schedule.upTo({ times: 30 })
)

/** The locks of a locked transaction. */
interface LockedRun {
  readonly held: HeldLocks
  /** Sets that the next attempt runs as a serializable transaction, because the locks do not cover this one. */
  readonly escalate: () => void
}

/** The transaction of a fiber. */
class CurrentTransaction extends Context.Service<
  CurrentTransaction,
  {
    /** The first error of its queries, after which it can only be rolled back. */
    failed: ReadError | WriteError | undefined
    /** Undefined if it is serializable. */
    readonly locked: LockedRun | undefined
    /** The recorded changes of rows, in order. */
    readonly changes: Array<RowChange>
    /** The rows that are inserted when it ends, in order. */
    readonly deferred: Array<DeferredRow>
    /** The effects that run after the outermost transaction, in order. */
    readonly afterwards: Array<Effect.Effect<void>>
  }
>()("@lectern/core/storage/Records/CurrentTransaction") {}

/** Whether the fiber is in a transaction. */
export const isFiberInTransaction = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  Context.getOrUndefined(fiber.context, CurrentTransaction) !== undefined

/** Whether the current fiber is in a transaction. */
export const isInTransaction: Effect.Effect<boolean> = Effect.withFiber((fiber) =>
  Effect.succeed(isFiberInTransaction(fiber))
)

/** Fails a locked transaction with a conflict, so that it runs again as a serializable one. */
const escalate = (transaction: CurrentTransaction["Service"]): Effect.Effect<never> =>
  Effect.suspend(() => {
    transaction.locked?.escalate()
    transaction.failed = new StorageConflict()
    // Callers of `Records` never receive a conflict, because it is retried.
    return Effect.fail(transaction.failed as never)
  })

/**
 * Runs a query. In a transaction, a failure makes all further queries fail with the same error: PostgreSQL would reject
 * them, and other stores must not differ. Outside of a transaction, a conflict is retried. In a locked transaction, a
 * query that its locks do not cover escalates it.
 */
const runQuery = <A, E extends WriteError>(
  table: AnyTable | undefined,
  access: "read" | "write",
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.withFiber((fiber) => {
    const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
    if (transaction === undefined) {
      return access === "read" ? effect : (retryConflicts(effect) as Effect.Effect<A, E>)
    }
    if (transaction.failed !== undefined) return Effect.fail(transaction.failed as E)
    if (
      transaction.locked !== undefined &&
      table !== undefined &&
      !isCovered(transaction.locked.held, table, access)
    ) {
      return escalate(transaction)
    }
    return Effect.tapError(effect, (error) =>
      Effect.sync(() => {
        transaction.failed = error
      })
    )
  })

/** Runs a query that reads. Outside of a transaction, it cannot conflict. */
export const runRead = <A>(
  table: AnyTable | undefined,
  effect: Effect.Effect<A, ReadError>
): Effect.Effect<A, StorageUnavailable> =>
  runQuery(table, "read", effect) as Effect.Effect<A, StorageUnavailable>

/** Runs a query that writes. A violated reference is a defect. */
export const runWrite = <A>(
  table: AnyTable,
  effect: Effect.Effect<A, WriteError>
): Effect.Effect<A, StorageUnavailable | UniqueViolation> =>
  Effect.catchTag(runQuery(table, "write", effect), "ReferenceViolation", Effect.die) as Effect.Effect<
    A,
    StorageUnavailable | UniqueViolation
  >

/** Runs a query that writes, for which a violated unique set is a defect too. */
export const runUniqueWrite = <A>(
  table: AnyTable,
  effect: Effect.Effect<A, WriteError>
): Effect.Effect<A, StorageUnavailable> =>
  Effect.catchTag(runWrite(table, effect), "UniqueViolation", Effect.die)

const isConflict = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "StorageConflict"

/** Counts an attempt after a conflict. */
const countedRetry = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.andThen(
    Metric.update(transactionRetries, 1),
    Effect.tapError(effect, (error) =>
      isConflict(error) ? Metric.update(transactionConflicts, 1) : Effect.void
    )
  )

/** Retries an effect while it conflicts. An effect that does not conflict has no overhead by the schedule. */
const retryConflicts = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.catchIf(isConflict, () =>
      Effect.andThen(
        Metric.update(transactionConflicts, 1),
        Effect.retry(countedRetry(effect), { schedule: conflictRetries, while: isConflict })
      )
    ),
    Effect.catchIf(isConflict, () =>
      Effect.fail(
        new StorageUnavailable({
          reason: "Contention",
          detail: "The transaction conflicted with others at all of its attempts."
        })
      )
    )
  )

/** Writes the events of changes in the transaction of the changes, and announces them after it has committed. */
export interface ChangeRecording {
  /** Writes the events. Returns whether there were any. */
  readonly write: (changes: ReadonlyArray<RowChange>) => Effect.Effect<boolean, WriteError>
  /** Runs after the commit of a transaction that has written events. */
  readonly committed: Effect.Effect<void>
}

/** Creates the methods of `Records` that run transactions, and `recorded`, which records the changes of a write. */
export const makeTransactions = (
  adapter: RecordsAdapter["Service"],
  recording: ChangeRecording | undefined
) => {
  /** Ends a transaction that is not nested: inserts its deferred rows, and writes its events. */
  const endOutermost = (
    { changes, deferred }: CurrentTransaction["Service"],
    write: ChangeRecording["write"] | undefined
  ): Effect.Effect<unknown, WriteError> | undefined => {
    const events = write === undefined || changes.length === 0 ? undefined : write(changes)
    const rows = deferred.length === 0 ? undefined : insertDeferred(adapter, deferred)
    if (events === undefined || rows === undefined) return events ?? rows
    return Effect.zip(rows, events, { concurrent: adapter.concurrency === "unbounded" })
  }

  /** Runs the effect in a transaction, which fails if one of its queries has failed. `end` runs before it ends. */
  const inTransaction = <A, E, R>(
    self: Effect.Effect<A, E, R>,
    locked: LockedRun | undefined,
    afterwards: Array<Effect.Effect<void>>,
    end: (transaction: CurrentTransaction["Service"]) => Effect.Effect<unknown, WriteError> | undefined
  ) =>
    Effect.suspend(() => {
      const transaction: CurrentTransaction["Service"] = {
        failed: undefined,
        locked,
        changes: [],
        deferred: [],
        afterwards
      }
      return Effect.flatMap(
        Effect.provideService(self, CurrentTransaction, transaction),
        (value): Effect.Effect<A, StorageUnavailable> => {
          if (transaction.failed !== undefined) {
            return Effect.fail(transaction.failed as StorageUnavailable)
          }
          const ended = end(transaction)
          return ended === undefined
            ? Effect.succeed(value)
            : (Effect.as(ended, value) as Effect.Effect<A, StorageUnavailable>)
        }
      )
    })

  /** The parameters of `inTransaction` for a transaction that is not nested. */
  interface Outermost {
    readonly afterwards: Array<Effect.Effect<void>>
    readonly end: (
      transaction: CurrentTransaction["Service"]
    ) => Effect.Effect<unknown, WriteError> | undefined
  }

  /** Runs an attempt of a transaction that is not nested. */
  const outermost = <A, E, R>(
    afterwards: Array<Effect.Effect<void>>,
    run: (outer: Outermost) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      afterwards.length = 0
      if (recording === undefined) {
        return run({ afterwards, end: (transaction) => endOutermost(transaction, undefined) })
      }
      let hasEvents = false
      const write = (changes: ReadonlyArray<RowChange>) =>
        Effect.tap(recording.write(changes), (wrote) =>
          Effect.sync(() => {
            hasEvents = wrote
          })
        )
      return Effect.tap(run({ afterwards, end: (transaction) => endOutermost(transaction, write) }), () =>
        hasEvents ? recording.committed : Effect.void
      )
    })

  /** Runs the effects that the last attempt has added, after the transaction was committed or rolled back. */
  const withAfterwards = <A, E, R>(
    run: (afterwards: Array<Effect.Effect<void>>) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const afterwards: Array<Effect.Effect<void>> = []
      return Effect.onExitPrimitive(run(afterwards), () =>
        afterwards.length === 0 ? undefined : Effect.all(afterwards, { discard: true })
      )
    })

  const serializable = <A, E, R>(self: Effect.Effect<A, E, R>, afterwards: Array<Effect.Effect<void>>) =>
    outermost(afterwards, ({ end }) => adapter.transaction(inTransaction(self, undefined, afterwards, end)))

  /** Runs the effect as a savepoint. A conflict rolls back the outer transaction as well. */
  const nested = <A, E, R>(outer: CurrentTransaction["Service"], self: Effect.Effect<A, E, R>) =>
    Effect.tapError(
      adapter.transaction(
        inTransaction(self, outer.locked, outer.afterwards, ({ changes, deferred }) => {
          outer.changes.push(...changes)
          outer.deferred.push(...deferred)
          return undefined
        })
      ),
      (error) =>
        Effect.sync(() => {
          if (isConflict(error)) outer.failed = error as ReadError
        })
    )

  return {
    /**
     * Runs the effect as one serializable transaction: all of its writes are committed, or none. A transaction that
     * conflicts with another is retried from its start, up to 30 times, then it fails with `StorageUnavailable` and the
     * reason `Contention`. Effects besides reads and writes of records must therefore be idempotent.
     *
     * A nested transaction is a savepoint: if it fails, the outer one can handle the error and continue.
     */
    transaction: <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageUnavailable, R> =>
      Effect.withFiber((fiber) => {
        const outer = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (outer === undefined) {
          return withAfterwards((afterwards) => retryConflicts(serializable(self, afterwards)))
        }
        return outer.locked === undefined ? nested(outer, self) : escalate(outer)
      }) as Effect.Effect<A, E | StorageUnavailable, R>,

    /**
     * Runs the effect as one transaction that acquires locks first, and waits for other transactions that hold them
     * instead of conflicting with them. The locks must cover everything that it reads and writes: see `Table.Locking`.
     * If a query is not covered, the transaction is rolled back and runs again as `transaction`.
     *
     * Within another transaction, it is a savepoint. If the outer one is locked and does not hold these locks, the outer
     * one is rolled back and runs again as a serializable one.
     */
    lockedTransaction: <A, E, R>(
      locks: ReadonlyArray<Lock>,
      self: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | StorageUnavailable, R> =>
      Effect.withFiber((fiber) => {
        const outer = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (outer !== undefined) {
          return outer.locked === undefined || outer.locked.held.include(locks)
            ? nested(outer, self)
            : escalate(outer)
        }
        const { lockedTransaction } = adapter
        if (lockedTransaction === undefined) {
          return withAfterwards((afterwards) => retryConflicts(serializable(self, afterwards)))
        }
        let isEscalated = false
        const run =
          ({ afterwards, end }: Outermost) =>
          (names: ReadonlySet<string>) =>
            inTransaction(
              self,
              {
                held: heldLocks(locks, names),
                escalate: () => {
                  isEscalated = true
                }
              },
              afterwards,
              end
            )
        return withAfterwards((afterwards) =>
          retryConflicts(
            Effect.suspend(() =>
              isEscalated
                ? serializable(self, afterwards)
                : Effect.catchIf(
                    outermost(afterwards, (outer) => lockedTransaction.call(adapter, locks, run(outer))),
                    (error) => isEscalated && isConflict(error),
                    () =>
                      Effect.andThen(Metric.update(transactionEscalations, 1), serializable(self, afterwards))
                  )
            )
          )
        )
      }) as Effect.Effect<A, E | StorageUnavailable, R>,

    /** Runs a write and records its changes: in the transaction of the fiber, or in one of its own. */
    recorded: <A>(
      write: (add: (change: Omit<RowChange, "cause">) => void) => Effect.Effect<A, WriteError>
    ): Effect.Effect<A, WriteError> =>
      Effect.withFiber((fiber) => {
        const { changes } = Context.getOrUndefined(fiber.context, CurrentTransaction) ?? {}
        if (changes === undefined) {
          return outermost([], ({ afterwards, end }) =>
            adapter.transaction(
              inTransaction(
                Effect.withFiber((inner) => {
                  const transaction = Context.getOrUndefined(inner.context, CurrentTransaction)!
                  return write((change) => transaction.changes.push({ ...change, cause: undefined }))
                }),
                undefined,
                afterwards,
                end
              )
            )
          ) as Effect.Effect<A, WriteError>
        }
        const cause = fiber.getRef(CurrentCause)
        return write((change) => changes.push({ ...change, cause }))
      }),

    /**
     * Inserts rows before the transaction of the fiber commits, together with the rows that others defer. They are not
     * inserted if the transaction is rolled back. The locks of the transaction must cover the table.
     */
    deferInsert: <T extends AnyTable>(table: T, rows: ReadonlyArray<Row<T>>): Effect.Effect<void> =>
      Effect.withFiber((fiber) => {
        const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (transaction === undefined)
          return Effect.die(new Error("A row was deferred outside a transaction."))
        for (const row of rows) transaction.deferred.push({ table, row: row as PlainRow })
        return Effect.void
      }),

    /**
     * Runs an effect after the outermost transaction of the fiber has ended, whether it was committed or rolled back; or
     * now, outside of a transaction. If the transaction is retried, only what its last attempt has added runs.
     */
    afterTransaction: (effect: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.withFiber((fiber) => {
        const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (transaction === undefined) return effect
        transaction.afterwards.push(effect)
        return Effect.void
      }),

    /** Escalates the current transaction if it is locked and does not hold a lock on the resource with this name. */
    requireLocked: (name: string): Effect.Effect<void> =>
      Effect.withFiber((fiber) => {
        const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
        return transaction?.locked === undefined || transaction.locked.held.hasResource(name)
          ? Effect.void
          : escalate(transaction)
      })
  }
}
