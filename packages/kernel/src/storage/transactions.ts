/** Transactions of records: their locks and their retries. */
import { Context, Effect, Metric } from "effect"
import { transactionEscalations } from "../observability/transactionMetrics.ts"
import {
  CurrentTransaction,
  escalate,
  failWithConflict,
  type HostLocks,
  type JoinedState,
  type LockedRun
} from "./currentTransaction.ts"
import { insertDeferred } from "./deferredRows.ts"
import { type HostConnection, HostTransactionError, type JoinableTransaction } from "./HostConnection.ts"
import { acquireInHost, runHostBody } from "./hostTransaction.ts"
import {
  announceCommit,
  type JoinedOperations,
  mapConflict,
  runJoined,
  withoutLocks
} from "./joinedTransaction.ts"
import { heldLocks, type Lock, lockName } from "./Lock.ts"
import type { PlainRow, ReadError, RecordsAdapter, WriteError } from "./RecordsAdapter.ts"
import { CurrentCause } from "./ResourceEvents.ts"
import type { RowChange } from "./recordChanges.ts"
import { isConflict, retryConflicts } from "./retryConflicts.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import { forgetReading } from "./sharedReading.ts"
import type { AnyTable, Row } from "./Table.ts"

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
    end: (transaction: CurrentTransaction["Service"]) => Effect.Effect<unknown, WriteError> | undefined,
    joined?: JoinedState
  ) =>
    Effect.suspend(() => {
      const transaction: CurrentTransaction["Service"] = {
        failed: undefined,
        joined,
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
    Effect.withFiber((fiber) => {
      const afterwards: Array<Effect.Effect<void>> = []
      return Effect.onExitPrimitive(run(afterwards), () => {
        forgetReading(fiber)
        return afterwards.length === 0 ? undefined : Effect.all(afterwards, { discard: true })
      })
    })

  const serializable = <A, E, R>(self: Effect.Effect<A, E, R>, afterwards: Array<Effect.Effect<void>>) =>
    outermost(afterwards, ({ end }) => adapter.transaction(inTransaction(self, undefined, afterwards, end)))

  /**
   * Runs the effect as a savepoint, which acquires further locks in a transaction of a host: all of them in one that it has begun
   * itself. A conflict rolls back the outer transaction as well.
   */
  const nested = <A, E, R>(
    outer: CurrentTransaction["Service"],
    self: Effect.Effect<A, E, R>,
    locks: ReadonlyArray<Lock> = []
  ): Effect.Effect<A, E | ReadError, R> =>
    Effect.suspend(() => {
      let ended: CurrentTransaction["Service"] | undefined
      const run = (locked: LockedRun | undefined) =>
        inTransaction(
          self,
          locked,
          outer.afterwards,
          (transaction) => {
            ended = transaction
            return undefined
          },
          outer.joined
        )
      const isCommandOfJoined = outer.locked === undefined && outer.joined !== undefined
      const locked = isCommandOfJoined ? withoutLocks(outer.joined.host) : outer.locked
      const savepoint =
        locked?.host === undefined || (locks.length === 0 && !isCommandOfJoined)
          ? run(locked)
          : Effect.flatMap(acquireInHost(adapter, locked.host, locks), (names) =>
              run({ ...locked, held: locked.held.and(locks, names) })
            )
      return adapter.transaction(savepoint).pipe(
        // Only now is the savepoint released: until then, its changes can be rolled back.
        Effect.tap(() =>
          Effect.sync(() => {
            outer.changes.push(...(ended?.changes ?? []))
            outer.deferred.push(...(ended?.deferred ?? []))
          })
        ),
        Effect.tapError((error) =>
          Effect.sync(() => {
            if (isConflict(error)) outer.failed = error as ReadError
          })
        )
      )
    })

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
        return outer.locked === undefined && outer.joined === undefined
          ? nested(outer, self)
          : escalate(outer)
      }) as Effect.Effect<A, E | StorageUnavailable, R>,

    /**
     * Runs the effect as one transaction that acquires locks first, and waits for other transactions that hold them
     * instead of conflicting with them. The locks must cover everything that it reads and writes: see `Table.Locking`.
     * If a query is not covered, the transaction is rolled back and runs again as `transaction`.
     *
     * Within another transaction, it is a savepoint. If the outer one is locked and does not hold these locks, the outer
     * one is rolled back and runs again as a serializable one.
     *
     * Transactions with the same `like` and the same locks begin with the same reads, which a store can execute together with the
     * acquisition of the locks.
     */
    lockedTransaction: <A, E, R>(
      locks: ReadonlyArray<Lock>,
      self: Effect.Effect<A, E, R>,
      like?: string
    ): Effect.Effect<A, E | StorageUnavailable, R> =>
      Effect.withFiber((fiber) => {
        const outer = Context.getOrUndefined(fiber.context, CurrentTransaction)
        if (outer !== undefined) {
          if (outer.locked === undefined) return nested(outer, self, locks)
          if (outer.locked.held.include(locks)) return nested(outer, self)
          return outer.locked.host === undefined ? escalate(outer) : nested(outer, self, locks)
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
                    outermost(afterwards, (outer) =>
                      lockedTransaction.call(adapter, locks, run(outer), like)
                    ),
                    (error) => isEscalated && isConflict(error),
                    () =>
                      Effect.andThen(Metric.update(transactionEscalations, 1), serializable(self, afterwards))
                  )
            )
          )
        )
      }) as Effect.Effect<A, E | StorageUnavailable, R>,

    /**
     * Runs a body of the host as one transaction with its own statements on the connection, which is undefined if the store has
     * no connection to share. It holds exclusive locks on the resources that `names` identifies, and never runs as a serializable
     * one instead: a command that they do not cover is a defect. Without `locks`, it is serializable, and covers every command.
     *
     * The body is a savepoint, so that a transaction that the host has ended is not committed as if it were complete.
     */
    hostTransaction: <A, E, R>(
      limits: { readonly locks: ReadonlyArray<Lock>; readonly host: HostLocks } | undefined,
      body: (connection: HostConnection | undefined) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | StorageUnavailable, R> =>
      Effect.withFiber((fiber) => {
        if (Context.getOrUndefined(fiber.context, CurrentTransaction) !== undefined) {
          return Effect.die(HostTransactionError.nested())
        }
        const whole = Effect.withFiber((inner) =>
          nested(
            Context.getUnsafe(inner.context, CurrentTransaction),
            Effect.flatMap(adapter.hostConnection ?? Effect.undefined, (connection) =>
              runHostBody(connection, body)
            )
          )
        )
        if (limits === undefined) {
          return withAfterwards((afterwards) => retryConflicts(serializable(whole, afterwards)))
        }
        const { locks, host } = limits
        const held = heldLocks(locks, host.names ?? new Set())
        const run = ({ afterwards, end }: Outermost) =>
          inTransaction(whole, { held, host, escalate: () => {} }, afterwards, end)
        const attempt = (outer: Outermost) =>
          adapter.lockedTransaction?.(locks, () => run(outer)) ?? adapter.transaction(run(outer))
        return withAfterwards((afterwards) => retryConflicts(outermost(afterwards, attempt)))
      }) as Effect.Effect<A, E | StorageUnavailable, R>,

    /**
     * Joins a transaction that the host has begun, within the limits of `host`. Dies with `HostTransactionError` unless it can be
     * joined: see `RecordsAdapter.joinTransaction`.
     */
    joinTransaction: (
      transaction: JoinableTransaction,
      host: HostLocks
    ): Effect.Effect<JoinedOperations, StorageUnavailable> =>
      Effect.suspend(() => {
        const join = adapter.joinTransaction?.(transaction)
        if (join === undefined) return Effect.die(HostTransactionError.noPool())
        const enter = adapter.acquireLocks?.([]) ?? Effect.void
        const joined: JoinedState = { host, enter, hasEvents: false, isWaking: false }
        const write =
          recording &&
          ((changes: ReadonlyArray<RowChange>) =>
            Effect.tap(recording.write(changes), (wrote) =>
              Effect.sync(() => {
                joined.hasEvents ||= wrote
              })
            ))
        return Effect.map(mapConflict(join), (connection) => ({
          run: runJoined(connection, (self, afterwards) =>
            inTransaction(self, undefined, afterwards, (ended) => endOutermost(ended, write), joined)
          ),
          committed: Effect.suspend(() => announceCommit(joined, recording?.committed, adapter.signals?.send))
        }))
      }),

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
        if (transaction?.locked === undefined) return Effect.void
        const { held, host } = transaction.locked
        if (host?.names?.has(name) === false && name.startsWith(lockName(host.kind, ""))) {
          return Effect.die(HostTransactionError.organizationNotNamed(name))
        }
        if (held.hasResource(name)) return Effect.void
        return transaction.joined === undefined ? escalate(transaction) : failWithConflict(transaction)
      })
  }
}
