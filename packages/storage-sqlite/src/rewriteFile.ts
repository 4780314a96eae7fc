/** Rewrites the file of a database without the space that deleted rows leave. */
import { existsSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { isBusy, toSqlError } from "./classify.ts"

/** The maximum time to wait for other processes that write, in milliseconds. */
const busyTimeoutMs = 10_000

/** The sizes of a file, in bytes. */
export interface RewrittenFile {
  /** The size before. */
  readonly before: number
  /** The size afterwards. */
  readonly after: number
}

/** The number of pages that one command of a merge writes, so that other writers wait for a short time only. */
const pagesPerMerge = 500

/**
 * Merges the segments of each full-text index into one, which removes the words of deleted rows: the deletion of a row only marks its
 * entries, because an index without contents does not have the words. Each command is a transaction of its own.
 */
const mergeTextIndexes = (database: DatabaseSync): void => {
  const isTextIndex = `"type" = 'table' AND "sql" LIKE 'CREATE VIRTUAL TABLE%USING fts5%'`
  const indexes = database.prepare(`SELECT "name" FROM sqlite_schema WHERE ${isTextIndex}`).all()
  const changes = database.prepare("SELECT total_changes() AS count")
  const countChanges = () => Number(changes.get()!.count)
  for (const { name } of indexes) {
    const quoted = `"${String(name).replaceAll('"', '""')}"`
    // A negative number merges segments of all sizes. It changes fewer than two rows when nothing is left to merge.
    const merge = database.prepare(
      `INSERT INTO ${quoted} (${quoted}, rank) VALUES ('merge', ${-pagesPerMerge})`
    )
    let before: number
    do {
      before = countChanges()
      merge.run()
    } while (countChanges() - before >= 2)
  }
}

/**
 * Rewrites the file of a database, after which it has no bytes of deleted rows: merges its full-text indexes, and executes SQLite's `VACUUM`,
 * which blocks writers, and temporarily requires as much free space as the file has. Fails with `StorageUnavailable` if other processes write, or the disk is full.
 *
 * @example
 * rewriteFile("docs.db")
 */
export const rewriteFile = (filename: string): Effect.Effect<RewrittenFile, StorageUnavailable> =>
  Effect.try({
    try: () => {
      if (!existsSync(filename)) throw new Error("The file does not exist.")
      const before = statSync(filename).size
      const database = new DatabaseSync(filename, { timeout: busyTimeoutMs })
      try {
        mergeTextIndexes(database)
        database.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
      } finally {
        database.close()
      }
      return { before, after: statSync(filename).size }
    },
    catch: (cause) =>
      new StorageUnavailable({
        reason: isBusy(toSqlError(cause, "execute")) ? "Contention" : "Unreachable",
        detail: `The file ${JSON.stringify(filename)} cannot be rewritten. Check that no other process writes to it, and that the disk has as much free space as the file has.`,
        cause
      })
  })
