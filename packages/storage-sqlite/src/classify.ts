/** What an error of `node:sqlite` means: told by SQLite's own result codes, never by messages. */
import { SqlError } from "effect/sql"

/** The extended result code of an error of `node:sqlite`. See https://sqlite.org/rescode.html. */
export const codeOf = (cause: unknown): number | undefined =>
  typeof cause === "object" && cause !== null && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode
    : undefined

const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067
const SQLITE_CONSTRAINT_ROWID = 2579

const uniqueCodes: ReadonlyArray<number | undefined> = [
  SQLITE_CONSTRAINT_PRIMARYKEY,
  SQLITE_CONSTRAINT_UNIQUE,
  SQLITE_CONSTRAINT_ROWID
]

/** Primary result codes of a file that cannot be read or written: I/O error, corrupt, full, cannot open, not a database. */
const unavailable: ReadonlyArray<number> = [8, 10, 11, 13, 14, 26]

/** The reason of a `SqlError`. */
export const classify = (cause: unknown, operation: string): SqlError.SqlErrorReason => {
  const code = codeOf(cause)
  if (code === undefined) {
    // A file that cannot be opened, a folder that cannot be made: what the system says of it.
    return operation === "open"
      ? new SqlError.ConnectionError({ cause, operation })
      : new SqlError.UnknownError({ cause, operation })
  }
  if (uniqueCodes.includes(code))
    return new SqlError.UniqueViolation({ cause, operation, constraint: "unknown" })
  if (unavailable.includes(code & 0xff)) return new SqlError.ConnectionError({ cause, operation })
  return SqlError.classifySqliteError({ code, cause }, { operation })
}
