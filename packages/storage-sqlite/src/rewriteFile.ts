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

/**
 * Rewrites the file of a database with SQLite's `VACUUM`, which blocks writers, and temporarily requires as much free space as
 * the file has. Fails with `StorageUnavailable` if other processes write, or the disk is full.
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
