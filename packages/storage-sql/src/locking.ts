/**
 * Locked transactions, over the advisory locks of the database: see `RecordsAdapter.lockedTransaction`.
 *
 * The gate is a lock on the table of the migration history. Locked transactions hold it in one mode and serializable
 * transactions in another, each of which is compatible with itself only. So the two kinds never overlap, and each is
 * serializable by its own means.
 */
import { type Lock, lockName, type ReadError, StorageUnavailable } from "@lectern/kernel"
import { Duration, Effect } from "effect"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import type { Execute } from "./SqlRecordsOptions.ts"
import { quoteName, Statement } from "./Statement.ts"

/** The SQL of locked transactions. */
export interface Locking {
  /** The statement that begins a locked transaction. Its queries read everything that is committed when they start. */
  readonly begin: string
  /** Returns the statement that acquires the gate for a serializable transaction, without fixing its snapshot. */
  readonly gateOfSerializable: (table: string) => string
  /** Returns a common table expression that acquires the gate for a locked transaction. */
  readonly gateOfLocked: (table: string) => string
  /**
   * Returns the statement that acquires locks in the order of their keys, and returns their names. `locks` is a `SELECT`
   * of `name` and `exclusive`, or empty.
   */
  readonly acquire: (gate: string, locks: string) => string
  /** The maximum time to wait for a lock, in milliseconds. */
  readonly timeoutMs: number
}

/** Returns the statement that acquires the gate and the locks of a transaction. */
const acquireStatement = (
  dialect: Dialect,
  { acquire, gateOfLocked }: Locking,
  gateTable: string,
  locks: ReadonlyArray<Lock>
): { readonly statement: Statement; readonly text: string } => {
  const statement = new Statement(dialect)
  const selects = locks.map((lock) => {
    const exclusive = lock.mode === "exclusive" ? "TRUE" : "FALSE"
    if (!("row" in lock)) {
      const name = statement.value(lockName(lock.kind, lock.id))
      return `SELECT CAST(${name} AS TEXT) COLLATE "C" AS "name", ${exclusive} AS "exclusive"`
    }
    const { table, key, id, column } = lock.row
    return (
      `SELECT (CAST(${statement.value(lockName(lock.kind, ""))} AS TEXT) || ${quoteName(column)}) COLLATE "C" AS "name", ` +
      `${exclusive} AS "exclusive" ` +
      `FROM ${dialect.table(table.name)} WHERE ${quoteName(key)} = ${statement.value(id)}`
    )
  })
  return { statement, text: acquire(gateOfLocked(gateTable), selects.join(" UNION ALL ")) }
}

/** The error of a transaction that waited too long. */
export const lockTimeout = (timeoutMs: number): StorageUnavailable =>
  new StorageUnavailable({
    reason: "Contention",
    detail: `Other writers of the same resource held its lock for longer than ${timeoutMs / 1000} s. Check for long transactions.`
  })

/**
 * Creates the function that acquires the gate and the locks of a transaction, and returns the names of the resources. `run` executes
 * its statement, with others in the same round trip.
 */
export const makeAcquire =
  (dialect: Dialect, execute: Execute, gateTable: string) =>
  (
    locking: Locking,
    locks: ReadonlyArray<Lock>,
    run: Execute = execute
  ): Effect.Effect<ReadonlySet<string>, ReadError> => {
    const { statement, text } = acquireStatement(dialect, locking, gateTable, locks)
    return run(text, statement.parameters, undefined).pipe(
      Effect.map((rows) => new Set(rows.map(({ name }) => String(name)))),
      Effect.catch((error) =>
        dialect.classify(error) === "Contention"
          ? Effect.fail(lockTimeout(locking.timeoutMs))
          : (failWithStorageError(dialect, "", error) as Effect.Effect<never, ReadError>)
      )
    )
  }

/** The place of a transaction in the queue of a resource. */
interface Ticket {
  isServed: boolean
  onServed: (() => void) | undefined
}

/**
 * Creates the queues of one process, which transactions pass before they use a connection: transactions that wait for one
 * resource must not occupy all connections of the pool. Names are acquired in their order, so no cycle of waits occurs.
 */
export const makeLockQueues = (timeoutMs: number) => {
  /** The transactions by the name of the resource, the one that is served first. */
  const queues = new Map<string, Array<Ticket>>()

  const enter = (name: string): Ticket => {
    const queue = queues.get(name) ?? []
    queues.set(name, queue)
    const ticket: Ticket = { isServed: queue.length === 0, onServed: undefined }
    queue.push(ticket)
    return ticket
  }

  const leave = (name: string, ticket: Ticket): void => {
    const queue = queues.get(name)!
    queue.splice(queue.indexOf(ticket), 1)
    const [next] = queue
    if (next === undefined) queues.delete(name)
    else if (!next.isServed) {
      next.isServed = true
      next.onServed?.()
    }
  }

  const served = (ticket: Ticket): Effect.Effect<void, StorageUnavailable> =>
    ticket.isServed
      ? Effect.void
      : Effect.callback<void>((resume) => {
          if (ticket.isServed) resume(Effect.void)
          else ticket.onServed = () => resume(Effect.void)
        }).pipe(
          Effect.timeoutOrElse({
            duration: Duration.millis(timeoutMs),
            orElse: () => Effect.fail(lockTimeout(timeoutMs))
          })
        )

  const inQueue = <A, E, R>(
    name: string,
    self: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageUnavailable, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const ticket = enter(name)
        return Effect.ensuring(
          restore(Effect.andThen(served(ticket), self)),
          Effect.sync(() => leave(name, ticket))
        )
      })
    )

  /** Runs an effect after the transactions that were queued before for one of its exclusive locks. */
  return <A, E, R>(
    locks: ReadonlyArray<Lock>,
    self: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | StorageUnavailable, R> => {
    const names = locks.flatMap((lock) =>
      "row" in lock || lock.mode === "shared" ? [] : [lockName(lock.kind, lock.id)]
    )
    return [...new Set(names)]
      .sort()
      .reduceRight<Effect.Effect<A, E | StorageUnavailable, R>>((inner, name) => inQueue(name, inner), self)
  }
}
