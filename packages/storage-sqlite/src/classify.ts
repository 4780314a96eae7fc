/** Classifies errors of `node:sqlite` by SQLite's result codes (https://sqlite.org/rescode.html). */
import { DatabaseFileError, type ErrorClass, SharedDatabaseError } from "@lectern/storage-sql"
import { SqlError } from "effect/sql"

/** Returns the extended result code of an error of `node:sqlite`. */
const resultCode = (cause: unknown): number | undefined =>
  typeof cause === "object" && cause !== null && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode
    : undefined

/** Classes by extended result code. The primary code is its low byte. */
const classByExtendedCode: ReadonlyMap<number, ErrorClass> = new Map([
  [778, "ReadOnly"], // SQLITE_IOERR_WRITE: among others, the disk or a quota is full
  [787, "ReferenceViolation"], // SQLITE_CONSTRAINT_FOREIGNKEY
  [1034, "ReadOnly"], // SQLITE_IOERR_FSYNC
  [1555, "UniqueViolation"], // SQLITE_CONSTRAINT_PRIMARYKEY
  [2067, "UniqueViolation"], // SQLITE_CONSTRAINT_UNIQUE
  [2579, "UniqueViolation"] // SQLITE_CONSTRAINT_ROWID
])

const classByPrimaryCode: ReadonlyMap<number, ErrorClass> = new Map([
  [3, "Unreachable"], // SQLITE_PERM
  [5, "Contention"], // SQLITE_BUSY: another process held the write lock for longer than the busy timeout
  [6, "Conflict"], // SQLITE_LOCKED
  [7, "Unreachable"], // SQLITE_NOMEM
  [8, "ReadOnly"], // SQLITE_READONLY
  [10, "Unreachable"], // SQLITE_IOERR
  [11, "Corrupted"], // SQLITE_CORRUPT
  [13, "ReadOnly"], // SQLITE_FULL
  [14, "Unreachable"], // SQLITE_CANTOPEN
  [15, "Contention"], // SQLITE_PROTOCOL: the locks of the write-ahead log could not be acquired
  [17, "Contention"], // SQLITE_SCHEMA: another process changed the schema while a statement was prepared
  [23, "Unreachable"], // SQLITE_AUTH
  [26, "Corrupted"] // SQLITE_NOTADB
])

const classifyCause = (cause: unknown): ErrorClass => {
  if (cause instanceof SharedDatabaseError) return "Unreachable"
  if (cause instanceof DatabaseFileError) return cause.reason
  const code = resultCode(cause)
  if (code !== undefined)
    return classByExtendedCode.get(code) ?? classByPrimaryCode.get(code & 0xff) ?? "Defect"
  // The error of a closed handle comes from Node and has no result code.
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ERR_INVALID_STATE"
    ? "Unreachable"
    : "Defect"
}

/** Returns whether a statement failed because another process holds the lock that it needs. */
export const isBusy = (error: SqlError.SqlError): boolean => isBusyCode(resultCode(error.reason.cause))

const isBusyCode = (code: number | undefined): boolean => code !== undefined && (code & 0xff) === 5

/** Returns whether an error of `node:sqlite` reports corruption of the file. */
export const isCorruption = (cause: unknown): boolean => classifyCause(cause) === "Corrupted"

/** Classifies an error of this package's client. A `ConnectionError` of `makeSqliteAcquirers` has no result code. */
export const classifyError = (error: SqlError.SqlError): ErrorClass => {
  const errorClass = classifyCause(error.reason.cause)
  return errorClass === "Defect" && error.reason._tag === "ConnectionError" ? "Unreachable" : errorClass
}

/** Converts an error of `node:sqlite`, or of the file system before it opens a file, to the error of a `SqlClient`. */
export const toSqlError = (cause: unknown, operation: "open" | "execute"): SqlError.SqlError => {
  const executionClass = classifyCause(cause)
  const errorClass = operation === "open" && executionClass !== "Corrupted" ? "Unreachable" : executionClass
  const fields = { cause, operation }
  // `migrate` retries this reason, and so waits for longer than a request does.
  const reason = isBusyCode(resultCode(cause))
    ? new SqlError.LockTimeoutError(fields)
    : reasonOf(errorClass, fields)
  return new SqlError.SqlError({ reason })
}

const reasonOf = (
  errorClass: ErrorClass,
  fields: { readonly cause: unknown; readonly operation: string }
): SqlError.SqlErrorReason => {
  switch (errorClass) {
    case "UniqueViolation":
      return new SqlError.UniqueViolation({ ...fields, constraint: "unknown" })
    case "ReferenceViolation":
      return new SqlError.ConstraintError(fields)
    case "Conflict":
      return new SqlError.LockTimeoutError(fields)
    case "Defect":
      return new SqlError.UnknownError(fields)
    default:
      return new SqlError.ConnectionError(fields)
  }
}
