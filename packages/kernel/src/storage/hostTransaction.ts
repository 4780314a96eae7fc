/** The locks of transactions that hosts run over their own rows and the rows of the workspace. */
import { Context, Effect } from "effect"
import { CurrentTransaction, type HostLocks } from "./currentTransaction.ts"
import { type HostConnection, HostTransactionError, IsInHostTransaction } from "./HostConnection.ts"
import { type Lock, lockName } from "./Lock.ts"
import type { ReadError, RecordsAdapter } from "./RecordsAdapter.ts"
import { isConflict } from "./retryConflicts.ts"
import { StorageConflict } from "./StorageError.ts"
import type * as Where from "./Where.ts"

type Adapter = RecordsAdapter["Service"]

/** Returns the names of the resources of locks, of a store whose transactions do not run concurrently. */
const resolveNames = (
  adapter: Adapter,
  locks: ReadonlyArray<Lock>
): Effect.Effect<ReadonlySet<string>, ReadError> =>
  Effect.map(
    Effect.forEach(locks, (lock) => {
      if (!("row" in lock)) return Effect.succeed([lockName(lock.kind, lock.id)])
      const { table, key, id, column } = lock.row
      const where: Where.AnyWhere = { op: "eq", column: key, value: id }
      return Effect.map(
        adapter.find(table, { where, orderBy: table.key, direction: "asc", select: [column] }),
        (rows) => rows.map((row) => lockName(lock.kind, String(row[column])))
      )
    }),
    (names) => new Set(names.flat())
  )

/**
 * Acquires the locks of a command within a transaction of a host, and returns their names. The transaction holds the resources
 * that it names already. A command on others is a defect, because it could make unrelated transactions wait for the host.
 */
export const acquireInHost = (
  adapter: Adapter,
  { kind, kinds, names }: HostLocks,
  locks: ReadonlyArray<Lock>
): Effect.Effect<ReadonlySet<string>, ReadError> =>
  Effect.suspend(() => {
    if (locks.some((lock) => !kinds.has(lock.kind))) {
      return Effect.die(
        names === undefined
          ? HostTransactionError.requiresOwnTransaction()
          : HostTransactionError.requiresSerializable()
      )
    }
    const prefix = lockName(kind, "")
    const requireNamed = (acquired: Iterable<string>): Effect.Effect<void> => {
      if (names === undefined) return Effect.void
      for (const name of acquired) {
        if (name.startsWith(prefix) && !names.has(name)) {
          return Effect.die(HostTransactionError.organizationNotNamed(name))
        }
      }
      return Effect.void
    }
    const known = locks.flatMap((lock) => ("row" in lock ? [] : [lockName(lock.kind, lock.id)]))
    const acquired = adapter.acquireLocks?.(locks) ?? resolveNames(adapter, locks)
    return Effect.andThen(requireNamed(known), Effect.tap(acquired, requireNamed))
  })

/**
 * Runs the body of a host within its transaction. An error of the body is a conflict if one of its operations, or of the
 * statements of the host, conflicted: the host may have replaced the error by one of its own.
 */
export const runHostBody = <A, E, R>(
  connection: HostConnection | undefined,
  body: (connection: HostConnection | undefined) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageConflict, R> =>
  Effect.withFiber((fiber) => {
    const transaction = Context.getUnsafe(fiber.context, CurrentTransaction)
    const run = Effect.provideService(body(connection), IsInHostTransaction, true)
    return Effect.catch(run, (error): Effect.Effect<never, E | StorageConflict> => {
      const hasConflict = isConflict(transaction.failed) || connection?.isConflict(error) === true
      return Effect.fail(hasConflict ? new StorageConflict() : error)
    })
  })
