/** Classifies errors of PostgreSQL by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
import type { ErrorClass } from "@lectern/storage-sql"
import type { SqlError } from "effect/sql/SqlError"
import { NoFreeConnection } from "./limits.ts"

const classBySqlState: ReadonlyMap<string, ErrorClass> = new Map([
  ["23505", "UniqueViolation"], // unique_violation
  ["23503", "ReferenceViolation"], // foreign_key_violation
  ["23001", "ReferenceViolation"], // restrict_violation
  ["40001", "Conflict"], // serialization_failure
  ["40P01", "Conflict"], // deadlock_detected
  ["55P03", "Contention"], // lock_not_available: lock_timeout, after which a retry would wait as long again
  ["25006", "ReadOnly"], // read_only_sql_transaction: the server became a standby
  ["25P03", "DeadlineExceeded"], // idle_in_transaction_session_timeout
  ["25P04", "DeadlineExceeded"], // transaction_timeout
  ["40003", "Unreachable"], // statement_completion_unknown
  ["3D000", "Unreachable"], // invalid_catalog_name: the database does not exist
  ["42501", "Unreachable"], // insufficient_privilege
  ["53100", "ReadOnly"], // disk_full
  ["53300", "Overloaded"], // too_many_connections
  ["57014", "DeadlineExceeded"] // query_canceled: statement_timeout, or pg_cancel_backend
])

const classBySqlStateClass: ReadonlyMap<string, ErrorClass> = new Map([
  ["08", "Unreachable"], // connection exception
  ["28", "Unreachable"], // invalid authorization
  ["53", "Unreachable"], // insufficient resources: connections, memory or disk space
  ["57", "Unreachable"], // operator intervention: shutdown, start-up
  ["58", "Unreachable"] // system error
])

/** Returns the class of a SQLSTATE, or undefined if no caller can handle it. */
export const classifyState = (state: string): ErrorClass | undefined =>
  classBySqlState.get(state) ?? classBySqlStateClass.get(state.slice(0, 2))

/** Returns the SQLSTATE of an error, or the code of a connection error, such as `ECONNRESET`. */
export const codeOf = ({ reason: { cause } }: SqlError): string | undefined =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined

/**
 * The functions of PostgreSQL that reject serializable transactions on a standby: at `BEGIN`, and at the first statement. The
 * SQLSTATE `0A000` has other causes, too, and messages are translated.
 */
const rejectsSerializable: ReadonlySet<unknown> = new Set([
  "call_enum_check_hook",
  "GetSerializableTransactionSnapshot"
])

/**
 * Whether an error states that the server accepts no writes because it is a standby, or read-only. The connection is
 * replaced: after a failover, a new one can lead to another server.
 */
export const isFromStandby = (error: SqlError): boolean => {
  const { cause } = error.reason
  const code = codeOf(error)
  if (code === "25006") return true
  return (
    code === "0A000" &&
    typeof cause === "object" &&
    cause !== null &&
    "routine" in cause &&
    rejectsSerializable.has(cause.routine)
  )
}

/**
 * Classifies a driver error. One without a SQLSTATE is a connection error, or a defect such as an invalid parameter.
 */
export const classifyError = (error: SqlError): ErrorClass => {
  const { cause, _tag } = error.reason
  if (cause instanceof NoFreeConnection) return "Overloaded"
  if (_tag === "StatementTimeoutError") return "DeadlineExceeded"
  if (isFromStandby(error)) return "ReadOnly"
  const code = codeOf(error)
  if (code !== undefined) {
    const errorClass = classifyState(code)
    if (errorClass !== undefined) return errorClass
  }
  return _tag === "ConnectionError" || _tag === "AuthenticationError" ? "Unreachable" : "Defect"
}
