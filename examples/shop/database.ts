/** The database of the application, with its own tables and the tables of the workspace: SQLite in development, PostgreSQL in production. */
import { DatabaseSync } from "node:sqlite"
import type { HostTransaction, WorkspaceOptions } from "@lectern/core"
import { pgClient, postgres } from "@lectern/storage-pg"
import { runExclusively, sqlite, sqliteDatabase } from "@lectern/storage-sqlite"
import pg from "pg"

/** Runs a statement of the application with the parameters `$1`, `$2`, and so on, each used once and in order. */
export type Query = (
  statement: string,
  ...parameters: ReadonlyArray<string>
) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>

/** A database that the application shares with the workspace. */
export interface Database {
  /** The store of the workspace. */
  readonly storage: WorkspaceOptions["storage"]
  /** Runs a statement on its own. */
  readonly query: Query
  /** Returns the function that runs statements in a transaction of the workspace. */
  readonly within: (tx: HostTransaction) => Query
  readonly close: () => Promise<void>
}

const tables = [
  "CREATE TABLE IF NOT EXISTS accounts (email TEXT PRIMARY KEY, lectern_user TEXT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, email TEXT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS products (name TEXT PRIMARY KEY, space TEXT NOT NULL)"
]

const openPostgres = (connectionString: string): Database => {
  const pool = new pg.Pool({ connectionString })
  return {
    storage: postgres({ pool, schema: "docs" }),
    query: async (statement, ...parameters) => (await pool.query(statement, [...parameters])).rows,
    within:
      (tx) =>
      async (statement, ...parameters) =>
        (await pgClient<pg.PoolClient>(tx).query(statement, [...parameters])).rows,
    close: () => pool.end()
  }
}

const openSqlite = (filename: string): Database => {
  const database = new DatabaseSync(filename)
  const runOn =
    (handle: DatabaseSync): Query =>
    async (statement, ...parameters) =>
      handle.prepare(statement.replaceAll(/\$\d+/g, "?")).all(...parameters)
  return {
    storage: sqlite({ database, prefix: "lectern_" }),
    // A statement that runs while a transaction of the workspace is open would belong to it.
    query: (statement, ...parameters) =>
      runExclusively(database, () => runOn(database)(statement, ...parameters)),
    within: (tx) => runOn(sqliteDatabase(tx)),
    close: async () => database.close()
  }
}

/** Opens a database by its URL, as in `postgres://localhost/shop`, or by the path of a file, and creates the tables of the application. */
export const openDatabase = async (url: string): Promise<Database> => {
  const database = /^postgres(ql)?:/.test(url) ? openPostgres(url) : openSqlite(url)
  for (const table of tables) await database.query(table)
  return database
}
