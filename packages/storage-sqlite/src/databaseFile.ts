/** The files of a SQLite database: their creation, their identity while they are open, and their integrity. */
import { type BigIntStats, closeSync, openSync, statSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { DatabaseFileError } from "@lectern/storage-sql"

/** Only the owner reads and writes files with this mode. SQLite creates `-wal` and `-shm` with the mode of the database. */
const privateMode = 0o600

/** Creates an empty database that only its owner can access, unless the file exists. */
export const createPrivateFile = (filename: string): void => {
  try {
    // An existing file is not opened: closing it would release the POSIX locks of other handles of this process.
    closeSync(openSync(filename, "wx", privateMode))
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
}

/** The files that SQLite has open while a database in write-ahead logging mode is open. */
const suffixes = ["", "-wal", "-shm"] as const

type Identity = Pick<BigIntStats, "dev" | "ino"> | undefined

const identityOf = (path: string): Identity => statSync(path, { bigint: true, throwIfNoEntry: false })

/** How long reads rely on the last comparison of the files, in milliseconds. */
const readValidityMs = 1_000

/**
 * Detects that the files of an open database were replaced, moved or deleted. SQLite would continue to use the open files,
 * and the next process would not find these writes.
 */
export class OpenFiles {
  readonly #filename: string
  readonly #identities: ReadonlyArray<Identity>
  #verifiedAt = performance.now()

  /** Remembers the identities of the files of a database, which has been read, so that all of them exist. */
  constructor(filename: string) {
    this.#filename = filename
    this.#identities = suffixes.map((suffix) => identityOf(filename + suffix))
  }

  /** Throws a `DatabaseFileError` if a path no longer refers to the open file. Takes about 10 µs. */
  verify(): void {
    for (const [index, suffix] of suffixes.entries()) {
      const opened = this.#identities[index]
      const current = identityOf(this.#filename + suffix)
      if (opened === undefined || (current?.ino === opened.ino && current.dev === opened.dev)) continue
      throw new DatabaseFileError(
        "FileReplaced",
        `The file ${JSON.stringify(this.#filename + suffix)} was ${current === undefined ? "moved or deleted" : "replaced"} while it was open. Move it back, or restart the server to open the current file.`
      )
    }
    this.#verifiedAt = performance.now()
  }

  /** Verifies the files unless they were verified less than a second ago. */
  verifyOccasionally(): void {
    if (performance.now() - this.#verifiedAt >= readValidityMs) this.verify()
  }
}

/** The maximum number of problems that an integrity check returns. */
const maximumProblems = 100

/**
 * Checks the structure of a database, and returns descriptions of the corruption: none, or at most 100. `quick` does not
 * compare indexes with their tables, and takes a third of the time. The time is proportional to the size of the file.
 */
export const checkIntegrity = (database: DatabaseSync, mode: "quick" | "full"): ReadonlyArray<string> => {
  const pragma = mode === "quick" ? "quick_check" : "integrity_check"
  const isOwnTransaction = !database.isTransaction
  try {
    // Without a transaction, another process can change the schema between the reads of the check, which then fails.
    if (isOwnTransaction) database.exec("BEGIN")
    const rows = database.prepare(`PRAGMA ${pragma}(${maximumProblems})`).all()
    // A row can have several lines; the first one of a database is its name.
    return rows
      .flatMap((row) => String(row[pragma]).split("\n"))
      .filter((line) => line !== "ok" && !line.startsWith("***"))
      .slice(0, maximumProblems)
  } catch (error) {
    // The file is not a database, or its schema cannot be read.
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    if (isOwnTransaction && database.isTransaction) database.exec("ROLLBACK")
  }
}

/** The size up to which a file is checked when it is opened, in bytes: the check takes about 1 s per GiB. */
const checkedAtOpenBytes = 2 ** 30

/** Returns whether a file is small enough to be checked when it is opened. */
export const isCheckedAtOpen = (filename: string): boolean =>
  (statSync(filename, { throwIfNoEntry: false })?.size ?? 0) <= checkedAtOpenBytes
