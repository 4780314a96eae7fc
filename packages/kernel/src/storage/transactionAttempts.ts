/** Attempts of transactions that are not nested, with the effects that follow them. */
import { Effect } from "effect"
import { CurrentTransaction, failOrDie, type JoinedState, type LockedRun } from "./currentTransaction.ts"
import { insertDeferred } from "./deferredRows.ts"
import type { ReadError, RecordsAdapter, WriteError } from "./RecordsAdapter.ts"
import type { RowChange } from "./recordChanges.ts"
import { forgetReading } from "./sharedReading.ts"

/** Writes the events of changes in the transaction of the changes, and announces them after it has committed. */
export interface ChangeRecording {
  /** Writes the events. Returns whether there were any. */
  readonly write: (changes: ReadonlyArray<RowChange>) => Effect.Effect<boolean, WriteError>
  /** Runs after the commit of a transaction that has written events. */
  readonly committed: Effect.Effect<void>
}

/** The parts of a transaction that is not nested: the effects that run after it, and the one before it ends. */
export interface Outermost {
  readonly afterwards: Array<Effect.Effect<void>>
  readonly end: (transaction: CurrentTransaction["Service"]) => Effect.Effect<unknown, WriteError> | undefined
}

/** Creates the functions that run attempts of transactions. */
export const makeAttempts = (adapter: RecordsAdapter["Service"], recording: ChangeRecording | undefined) => {
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
        (value): Effect.Effect<A, ReadError> => {
          if (transaction.failed !== undefined) return failOrDie(transaction.failed)
          const ended = end(transaction)
          return ended === undefined
            ? Effect.succeed(value)
            : Effect.as(Effect.catch(ended, failOrDie), value)
        }
      )
    })

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

  return { inTransaction, endOutermost, outermost, withAfterwards, serializable }
}

/** The functions of {@link makeAttempts}. */
export interface Attempts extends ReturnType<typeof makeAttempts> {}
