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
  /** The names (`lockName`) of these resources. */
  readonly names: ReadonlySet<string>
  /** The kinds of locks that its commands may acquire while it is open. */
  readonly kinds: ReadonlySet<string>
}

/** The transaction of a fiber. */
export class CurrentTransaction extends Context.Service<
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

/**
 * Fails a locked transaction with a conflict, so that it runs again as a serializable one. A transaction of a host never does:
 * only the command fails.
 */
export const escalate = (transaction: CurrentTransaction["Service"]): Effect.Effect<never> =>
  Effect.suspend(() => {
    if (transaction.locked?.host !== undefined) return Effect.die(HostTransactionError.requiresSerializable())
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
      if (access === "read") return effect
      return Effect.onExitPrimitive(retryConflicts(effect) as Effect.Effect<A, E>, () => {
        forgetReading(fiber)
        return undefined
      })
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
