/** Transactions over the rows of a host and those of a workspace in SQLite: in a file of Lectern, and on a handle of the host. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { sqlite, sqliteDatabase } from "@lectern/storage-sqlite"
import { afterAll } from "vitest"
import { type HostDatabase, testHostTransactions } from "../../storage-sql/test/support/hostTransactions.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-host-transactions-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

const openHost = async (isShared: boolean): Promise<HostDatabase> => {
  const filename = join(folder, `${files++}.db`)
  const database = new DatabaseSync(filename)
  database.exec(
    `CREATE TABLE tickets (id TEXT PRIMARY KEY, parent TEXT REFERENCES tickets (id) DEFERRABLE INITIALLY DEFERRED)`
  )
  return {
    storage: sqlite({ ...(isShared ? { database } : { filename }), prefix: "lectern_" }),
    insert: async (tx, id, parent) => {
      sqliteDatabase(tx)
        .prepare("INSERT INTO tickets VALUES (?, ?)")
        .run(id, parent ?? null)
    },
    execute: async (tx, text) => sqliteDatabase(tx).exec(text),
    tickets: async () =>
      database
        .prepare("SELECT id FROM tickets")
        .all()
        .map(({ id }) => String(id)),
    close: async () => database.close()
  }
}

testHostTransactions("a file of SQLite", () => openHost(false))
testHostTransactions("a handle of the host", () => openHost(true))
