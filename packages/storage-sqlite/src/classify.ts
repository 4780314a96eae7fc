/** What an error of `node:sqlite` means: told by SQLite's result codes (https://sqlite.org/rescode.html). */
import { type Meaning, SharedDatabaseError } from "@lectern/storage-sql"
import { SqlError } from "effect/sql"

/** The extended result code of an error of `node:sqlite`. */
const codeOf = (cause: unknown): number | undefined =>
  typeof cause === "object" && cause !== null && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode
    : undefined

/** Extended codes, which say more than the primary one in their low byte. */
const meanings: ReadonlyMap<number, Meaning> = new Map([
  [787, "Reference"], // SQLITE_CONSTRAINT_FOREIGNKEY
  [1555, "Unique"], // SQLITE_CONSTRAINT_PRIMARYKEY
  [2067, "Unique"], // SQLITE_CONSTRAINT_UNIQUE
  [2579, "Unique"] // SQLITE_CONSTRAINT_ROWID
])

const primaryMeanings: ReadonlyMap<number, Meaning> = new Map([
  [3, "Unavailable"], // SQLITE_PERM
  [5, "Unavailable"], // SQLITE_BUSY: another process writes, for longer than we wait
  [6, "Conflict"], // SQLITE_LOCKED
  [7, "Unavailable"], // SQLITE_NOMEM
  [8, "Unavailable"], // SQLITE_READONLY
  [10, "Unavailable"], // SQLITE_IOERR
  [11, "Unavailable"], // SQLITE_CORRUPT
  [13, "Unavailable"], // SQLITE_FULL
  [14, "Unavailable"], // SQLITE_CANTOPEN
  [15, "Unavailable"], // SQLITE_PROTOCOL: the locks of the log could not be had
  [23, "Unavailable"], // SQLITE_AUTH
  [26, "Unavailable"] // SQLITE_NOTADB
])

const meaningOf = (cause: unknown): Meaning => {
  if (cause instanceof SharedDatabaseError) return "Unavailable"
  const code = codeOf(cause)
  if (code !== undefined) return meanings.get(code) ?? primaryMeanings.get(code & 0xff) ?? "Mistake"
  // A handle that was closed has no code of SQLite's.
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ERR_INVALID_STATE"
    ? "Unavailable"
    : "Mistake"
}

/** Whether SQLite says that another process holds the lock that it needs. */
export const isBusy = (error: SqlError.SqlError): boolean => isBusyCode(codeOf(error.reason.cause))

const isBusyCode = (code: number | undefined): boolean => code !== undefined && (code & 0xff) === 5

/** What an error of this package's client means. One of `makeSqliteAcquirers` has no cause of SQLite's in it. */
export const meaning = (error: SqlError.SqlError): Meaning =>
  error.reason._tag === "ConnectionError" ? "Unavailable" : meaningOf(error.reason.cause)

/** The error of a client, for others that use it. `open` is what is done before SQLite itself is asked. */
export const toSqlError = (cause: unknown, operation: "open" | "execute"): SqlError.SqlError => {
  const means = operation === "open" ? "Unavailable" : meaningOf(cause)
  const fields = { cause, operation }
  // Who wants to wait for longer than a request can, as migrations do, tells it by this.
  const reason = isBusyCode(codeOf(cause)) ? new SqlError.LockTimeoutError(fields) : reasonOf(means, fields)
  return new SqlError.SqlError({ reason })
}

const reasonOf = (
  means: Meaning,
  fields: { readonly cause: unknown; readonly operation: string }
): SqlError.SqlErrorReason => {
  switch (means) {
    case "Unique":
      return new SqlError.UniqueViolation({ ...fields, constraint: "unknown" })
    case "Reference":
      return new SqlError.ConstraintError(fields)
    case "Conflict":
      return new SqlError.LockTimeoutError(fields)
    case "Unavailable":
      return new SqlError.ConnectionError(fields)
    case "Mistake":
      return new SqlError.UnknownError(fields)
  }
}
