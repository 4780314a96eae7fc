/** The `DatabaseSync` of a transaction of Lectern, on which the host executes statements of its own. */
import type { DatabaseSync } from "node:sqlite"
import { type HostConnection, HostTransactionError } from "@lectern/kernel"
import { checkHostStatement } from "@lectern/storage-sql"

type Method = (...parameters: Array<unknown>) => unknown

/** Returns an object whose methods call `before` first. `methods` replaces some of them. */
const guarded = <Target extends object>(
  target: Target,
  before: () => void,
  methods: Readonly<Record<string, Method>> = {}
): Target =>
  new Proxy(target, {
    get: (_, name) => {
      if (typeof name === "string" && Object.hasOwn(methods, name)) return methods[name]
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function") return member
      return (...parameters: Array<unknown>) => {
        before()
        return (member as Method).apply(target, parameters)
      }
    }
  })

/** Shares a handle until `close`. Its prepared statements cannot be used afterwards either, and it cannot be closed. */
export const shareDatabase = (database: DatabaseSync): HostConnection => {
  let isOpen = true
  const check = (text?: unknown) => checkHostStatement(isOpen, text)
  const connection = guarded(database, check, {
    exec: (sql) => {
      check(sql)
      return database.exec(sql as string)
    },
    prepare: (sql, ...options) => {
      check(sql)
      return guarded((database.prepare as Method).call(database, sql, ...options) as object, check)
    },
    close: () => undefined
  })
  return {
    store: "sqlite",
    connection,
    close: () => {
      isOpen = false
    },
    // A transaction begins with the write lock, so no other one can conflict with it.
    isConflict: () => false
  }
}

/**
 * Returns the `DatabaseSync` on which the transaction of `workspace.transaction` runs, for statements of the host. It can be
 * used until the callback ends. Statements on other references to the same handle are a part of the transaction, too.
 *
 * Throws `HostTransactionError` with the reason `NoConnection` if the workspace is not in SQLite.
 *
 * @example
 * await workspace.transaction({ organizations: [organization] }, async (tx) => {
 *   sqliteDatabase(tx).prepare("INSERT INTO tickets (title) VALUES (?)").run("Write the handbook")
 * })
 */
export const sqliteDatabase = (tx: { readonly connection: HostConnection | undefined }): DatabaseSync => {
  if (tx.connection?.store !== "sqlite") {
    throw new HostTransactionError("NoConnection", "The workspace is not in a SQLite database.")
  }
  return tx.connection.connection as DatabaseSync
}
