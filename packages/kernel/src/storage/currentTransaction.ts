/** The transaction of a fiber, and the queries within it. */
import { Context, Effect, type Fiber } from "effect"
import type { DeferredRow } from "./deferredRows.ts"
import { HostTransactionError } from "./HostConnection.ts"
import { type HeldLocks, isCovered } from "./Lock.ts"
import type { ReadError, WriteError } from "./RecordsAdapter.ts"
import type { RowChange } from "./recordChanges.ts"
import { retryConflicts } from "./retryConflicts.ts"
import { StorageConflict, type StorageUnavailable, type UniqueViolation } from "./StorageError.ts"
import { forgetReading } from "./sharedReading.ts"
import type { AnyTable } from "./Table.ts"

/** The locks of a locked transaction. */
export interface LockedRun {
  readonly held: HeldLocks
  /** Sets that the next attempt runs as a serializable transaction, because the locks do not cover this one. */
  readonly escalate: () => void
  /** The names of the only resources that commands of a host's transaction may act on; undefined for other transactions. */
  readonly host?: HostLocks
}

/** The limits of the locks of a host's transaction. */
export interface HostLocks {
  /** The kind of the resources that the transaction names. */
  readonly kind: string
  /** The names (`lockName`) of these resources; undefined if the host has begun the transaction, which names none. */
  readonly names: ReadonlySet<string> | undefined
  /** The kinds of locks that its commands may acquire while it is open. */
  readonly kinds: ReadonlySet<string>
}

/** The state of a transaction of a host that commands have joined. */
export interface JoinedState {
  /** The limits of the locks of its commands. */
  readonly host: HostLocks
  /** Acquires what excludes serializable transactions, for a write outside of commands. */
  readonly enter: Effect.Effect<unknown, ReadError>
  /** Whether its commands have written events. */
  hasEvents: boolean
  /** Whether its commands would wake workers of every process. */
  isWaking: boolean
}

/** The transaction of a fiber. */
export class CurrentTransaction extends Context.Service<
  CurrentTransaction,
  {
    /** The first error of its queries, after which it can only be rolled back. */
    failed: ReadError | WriteError | undefined
    /** Undefined if it is serializable, and in a joined transaction outside of commands. */
    readonly locked: LockedRun | undefined
    /** The transaction of a host that the fiber has joined. */
    readonly joined: JoinedState | undefined
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

/** Wakes workers after the commit of the fiber's transaction. The host announces the commit of one that it has begun. */
export const sendAfterCommit = (send: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const joined = Context.getOrUndefined(fiber.context, CurrentTransaction)?.joined
    if (joined === undefined) return send
    joined.isWaking = true
    return Effect.void
  })

/** Whether the current fiber is in a transaction. */
export const isInTransaction: Effect.Effect<boolean> = Effect.withFiber((fiber) =>
  Effect.succeed(isFiberInTransaction(fiber))
)

/**
 * Fails a locked transaction with a conflict, so that it runs again as a serializable one. A transaction of a host never does:
 * only the command fails.
 */
export const escalate = (transaction: CurrentTransaction["Service"]): Effect.Effect<never> =>
  Effect.suspend(() => {
    if (transaction.joined !== undefined) return Effect.die(HostTransactionError.requiresOwnTransaction())
    if (transaction.locked?.host !== undefined) return Effect.die(HostTransactionError.requiresSerializable())
    transaction.locked?.escalate()
    return failWithConflict(transaction)
  })

/**
 * Removes the conflict from the errors of an effect within a transaction: its callers have no remedy for it, and the transaction runs
 * again from its start.
 */
export const concealConflict = <A, E, R>(
  effect: Effect.Effect<A, E | StorageConflict, R>
): Effect.Effect<A, E, R> => effect as Effect.Effect<A, E, R>

/** Fails a transaction with a conflict. */
export const failWithConflict = (transaction: CurrentTransaction["Service"]): Effect.Effect<never> => {
  transaction.failed = new StorageConflict()
  return concealConflict<never, never, never>(Effect.fail(transaction.failed))
}

/**
 * Fails with the error of an earlier query of the transaction, or when it ends. A violation is a defect then: only the query that it
 * occurs in declares it.
 */
export const failOrDie = (error: WriteError): Effect.Effect<never, ReadError> =>
  error._tag === "UniqueViolation" || error._tag === "ReferenceViolation"
    ? Effect.die(error)
    : Effect.fail(error)

/**
 * Runs a query. In a transaction, a failure makes all further queries fail with the same error, or die of a violation: PostgreSQL would
 * reject them, and other stores must not differ. Outside of a transaction, a conflict is retried. In a locked transaction, a
 * query that its locks do not cover escalates it.
 */
const runQuery = <A, E extends WriteError>(
  table: AnyTable | undefined,
  access: "read" | "write",
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E | ReadError> =>
  Effect.withFiber((fiber): Effect.Effect<A, E | ReadError> => {
    const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
    if (transaction === undefined) {
      if (access === "read") return effect
      return Effect.onExitPrimitive(retryConflicts(effect), () => {
        forgetReading(fiber)
        return undefined
      })
    }
    if (transaction.failed !== undefined) return failOrDie(transaction.failed)
    const { locked, joined } = transaction
    if (table !== undefined && locked !== undefined && !isCovered(locked.held, table, access)) {
      return escalate(transaction)
    }
    // Outside of commands, a joined transaction holds no locks.
    const isUnlocked = locked === undefined && joined !== undefined && access === "write"
    if (isUnlocked && table?.locking?.writes.length !== 0) return escalate(transaction)
    const entered: Effect.Effect<A, E | ReadError> = isUnlocked
      ? Effect.andThen(joined.enter, effect)
      : effect
    return Effect.tapError(entered, (error) =>
      Effect.sync(() => {
        transaction.failed = error
      })
    )
  })

/**
 * Returns a function that runs an effect in the transaction of the fiber, if it has one. Its caller may have left that transaction: a store
 * executes collected statements also after the body of the transaction. A failure makes the transaction fail: the query or savepoint
 * that the statements precede reports it, and its caller can have a remedy for its own failures only.
 */
export const makeRunInTransaction = (fiber: Fiber.Fiber<unknown, unknown>) => {
  const transaction = Context.getOrUndefined(fiber.context, CurrentTransaction)
  return <A, E extends WriteError>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    transaction === undefined
      ? self
      : Effect.tapError(Effect.provideService(self, CurrentTransaction, transaction), (error) =>
          Effect.sync(() => {
            transaction.failed ??= error
          })
        )
}

/** Runs a query that reads. Outside of a transaction, it cannot conflict. */
export const runRead = <A>(
  table: AnyTable | undefined,
  effect: Effect.Effect<A, ReadError>
): Effect.Effect<A, StorageUnavailable> => concealConflict(runQuery(table, "read", effect))

/** Runs a query that writes. A violated reference is a defect. */
export const runWrite = <A>(
  table: AnyTable,
  effect: Effect.Effect<A, WriteError>
): Effect.Effect<A, StorageUnavailable | UniqueViolation> =>
  Effect.catchTag(concealConflict(runQuery(table, "write", effect)), "ReferenceViolation", Effect.die)

/** Runs a query that writes, for which a violated unique set is a defect too. */
export const runUniqueWrite = <A>(
  table: AnyTable,
  effect: Effect.Effect<A, WriteError>
): Effect.Effect<A, StorageUnavailable> =>
  Effect.catchTag(runWrite(table, effect), "UniqueViolation", Effect.die)
