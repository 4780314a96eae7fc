/** Classifies errors of PostgreSQL by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
import type { ErrorClass } from "@lectern/storage-sql"
import type { SqlError } from "effect/sql/SqlError"

const classBySqlState: ReadonlyMap<string, ErrorClass> = new Map([
  ["23505", "UniqueViolation"], // unique_violation
  ["23503", "ReferenceViolation"], // foreign_key_violation
  ["23001", "ReferenceViolation"], // restrict_violation
  ["40001", "Conflict"], // serialization_failure
  ["40P01", "Conflict"], // deadlock_detected
  ["55P03", "Conflict"], // lock_not_available
  ["25006", "Unavailable"], // read_only_sql_transaction: the server became a standby
  ["25P03", "Unavailable"], // idle_in_transaction_session_timeout
  ["25P04", "Unavailable"], // transaction_timeout
  ["40003", "Unavailable"], // statement_completion_unknown
  ["3D000", "Unavailable"], // invalid_catalog_name: the database does not exist
  ["42501", "Unavailable"] // insufficient_privilege
])

const classBySqlStateClass: ReadonlyMap<string, ErrorClass> = new Map([
  ["08", "Unavailable"], // connection exception
  ["28", "Unavailable"], // invalid authorization
  ["53", "Unavailable"], // insufficient resources: connections, memory or disk space
  ["57", "Unavailable"], // operator intervention: shutdown, start-up, a timeout
  ["58", "Unavailable"] // system error
])

/**
 * Classifies a driver error. One without a SQLSTATE is a connection error, or a defect such as an invalid parameter.
 */
export const classifyError = (error: SqlError): ErrorClass => {
  const { cause, _tag } = error.reason
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  if (typeof code === "string") {
    const errorClass = classBySqlState.get(code) ?? classBySqlStateClass.get(code.slice(0, 2))
    if (errorClass !== undefined) return errorClass
  }
  return _tag === "ConnectionError" || _tag === "AuthenticationError" ? "Unavailable" : "Defect"
}
