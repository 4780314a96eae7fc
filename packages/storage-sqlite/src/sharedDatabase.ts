/**
 * Shares a `DatabaseSync` with the host. SQLite has one transaction per handle, so stores and host take turns on it. An
 * open transaction of the host is an error: a statement of Lectern would join it, and be rolled back with it.
 */
import type { DatabaseSync } from "node:sqlite"
import { SharedDatabaseError } from "@lectern/storage-sql"
import { Effect, Semaphore } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { toSqlError } from "./classify.ts"
import { beginTransaction, connect, endReadTransactions } from "./connection.ts"

const semaphores = new WeakMap<DatabaseSync, Semaphore.Semaphore>()

/**
 * Returns the semaphore of a handle. All stores on the handle share it, so that a store never joins the transaction of
 * another.
 */
export const handleSemaphore = (database: DatabaseSync): Semaphore.Semaphore => {
  const existing = semaphores.get(database)
  if (existing !== undefined) return existing
  const semaphore = Semaphore.makeUnsafe(1)
  semaphores.set(database, semaphore)
  return semaphore
}

const requireNoTransaction = (database: DatabaseSync): void => {
  if (!database.isTransaction) return
  throw new SharedDatabaseError(
    "The host has a transaction open on the `DatabaseSync` that it shares with Lectern. Commit or roll it back before " +
      "calling Lectern and before awaiting anything, or run it with `runExclusively`."
  )
}

const requireTransaction = (database: DatabaseSync): void => {
  if (database.isTransaction) return
  throw new SharedDatabaseError(
    "Lectern's transaction on the shared `DatabaseSync` was ended by the host or rolled back by SQLite. Run statements of " +
      "the host with `runExclusively`."
  )
}

/**
 * Returns connections for statements inside and outside of Lectern's transactions. Callers must hold the handle's
 * semaphore. A statement outside of a transaction, and one that begins a transaction, fails if the host has a
 * transaction open.
 */
export const sharedConnections = (
  database: DatabaseSync
): {
  readonly transactional: SqlConnection.Connection
  readonly nonTransactional: SqlConnection.Connection
} => ({
  transactional: connect(database, (sql) => {
    if (sql === beginTransaction) requireNoTransaction(database)
    else requireTransaction(database)
    endReadTransactions()
  }),
  nonTransactional: connect(database, () => {
    requireNoTransaction(database)
    endReadTransactions()
  })
})

/** Fails if the handle does not enforce foreign keys: removals would not cascade, and leave dangling references. */
export const requireForeignKeys = (
  connection: SqlConnection.Connection
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.execute("PRAGMA foreign_keys", [], undefined), ([row]) =>
    row?.foreign_keys === 1
      ? Effect.void
      : Effect.fail(
          toSqlError(
            new SharedDatabaseError(
              "The `DatabaseSync` that the host shares with Lectern does not enforce foreign keys. Open it with " +
                "`enableForeignKeyConstraints: true`, which is the default."
            ),
            "open"
          )
        )
  )

/**
 * Runs statements of the host on a handle that it shares with Lectern. Waits until Lectern has no transaction open on
 * the handle, and blocks new ones until `use` completes. Resolves with the result of `use`.
 *
 * Rejects with the error of `use`, or with an error if `use` leaves a transaction open; the transaction is rolled back
 * in both cases.
 *
 * `use` can be asynchronous. It must not await Lectern or another `runExclusively` on the same handle: that is a
 * deadlock.
 *
 * @example
 * await runExclusively(database, () => {
 *   database.exec("BEGIN IMMEDIATE")
 *   database.exec("UPDATE accounts SET balance = balance - 1 WHERE id = 7")
 *   database.exec("COMMIT")
 * })
 */
export const runExclusively = <A>(database: DatabaseSync, use: () => A | Promise<A>): Promise<A> => {
  const run = async (): Promise<A> => {
    let result: A
    try {
      result = await use()
    } catch (error) {
      rollBackIfOpen(database)
      throw error
    }
    if (rollBackIfOpen(database)) {
      throw new SharedDatabaseError(
        "`runExclusively` rolled back a transaction that its function left open. Commit it before returning."
      )
    }
    return result
  }
  return Effect.runPromise(
    handleSemaphore(database).withPermit(Effect.tryPromise({ try: run, catch: (cause) => cause }))
  )
}

const rollBackIfOpen = (database: DatabaseSync): boolean => {
  if (!database.isOpen || !database.isTransaction) return false
  database.exec("ROLLBACK")
  return true
}
