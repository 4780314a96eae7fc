/**
 * The handle of a host that Lectern shares. SQLite has one transaction per handle, so all that runs on it takes turns, and
 * an open transaction that is not Lectern's own is an error: a statement would join it, and be rolled back with it.
 */
import type { DatabaseSync } from "node:sqlite"
import { SharedDatabaseError } from "@lectern/storage-sql"
import { Effect, Semaphore } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { toSqlError } from "./classify.ts"
import { beginTransaction, connect, endReading } from "./connection.ts"

const turns = new WeakMap<DatabaseSync, Semaphore.Semaphore>()

/** The semaphore of a handle: shared by all stores on it, so that no store joins the transaction of another. */
export const turnOf = (database: DatabaseSync): Semaphore.Semaphore => {
  const known = turns.get(database)
  if (known !== undefined) return known
  const turn = Semaphore.makeUnsafe(1)
  turns.set(database, turn)
  return turn
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
    "Lectern's transaction on the shared `DatabaseSync` was ended by the host, with whatever it had changed, or rolled back " +
      "by SQLite. Run statements of the host with `runExclusively`."
  )
}

/**
 * Connections for statements inside and outside of Lectern's transactions. Both require that the turn is held. A
 * statement outside of a transaction, or one that begins a transaction, fails if a transaction of the host is open.
 */
export const sharedConnections = (
  database: DatabaseSync
): { readonly inside: SqlConnection.Connection; readonly outside: SqlConnection.Connection } => ({
  inside: connect(database, (sql) => {
    if (sql === beginTransaction) requireNoTransaction(database)
    else requireTransaction(database)
    endReading()
  }),
  outside: connect(database, () => {
    requireNoTransaction(database)
    endReading()
  })
})

/** Fails if the handle does not enforce foreign keys: removals would leave rows that refer to nothing. */
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
 * Runs a host's statements on a handle that it shares with Lectern, while Lectern has no transaction open on it and
 * begins none. Rejects with the error of `use`, and if `use` leaves a transaction open, which is rolled back.
 *
 * `use` can be asynchronous: Lectern waits for it. It must not await Lectern or another `runExclusively` on the same
 * handle, which never completes.
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
    turnOf(database).withPermit(Effect.tryPromise({ try: run, catch: (cause) => cause }))
  )
}

const rollBackIfOpen = (database: DatabaseSync): boolean => {
  if (!database.isOpen || !database.isTransaction) return false
  database.exec("ROLLBACK")
  return true
}
