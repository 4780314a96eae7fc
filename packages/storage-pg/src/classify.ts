/** What an error of PostgreSQL means: told by its SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
import type { Meaning } from "@lectern/storage-sql"
import type { SqlError } from "effect/sql/SqlError"

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["23505", "Unique"], // unique_violation
  ["23503", "Reference"], // foreign_key_violation
  ["23001", "Reference"], // restrict_violation
  ["40001", "Conflict"], // serialization_failure
  ["40P01", "Conflict"], // deadlock_detected
  ["55P03", "Conflict"], // lock_not_available
  ["25006", "Unavailable"], // read_only_sql_transaction: the server became a standby
  ["25P03", "Unavailable"], // idle_in_transaction_session_timeout
  ["25P04", "Unavailable"], // transaction_timeout
  ["40003", "Unavailable"], // statement_completion_unknown
  ["3D000", "Unavailable"], // invalid_catalog_name: the database is not there
  ["42501", "Unavailable"] // insufficient_privilege
])

const classMeanings: ReadonlyMap<string, Meaning> = new Map([
  ["08", "Unavailable"], // connection exception
  ["28", "Unavailable"], // invalid authorization
  ["53", "Unavailable"], // insufficient resources: connections, memory, disk
  ["57", "Unavailable"], // operator intervention: shutdown, start-up, a timeout
  ["58", "Unavailable"] // system error
])

/** What an error of the driver means. One without a SQLSTATE is of the connection, or of what it was given. */
export const meaning = (error: SqlError): Meaning => {
  const { cause, _tag } = error.reason
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  if (typeof code === "string") {
    const known = meanings.get(code) ?? classMeanings.get(code.slice(0, 2))
    if (known !== undefined) return known
  }
  return _tag === "ConnectionError" || _tag === "AuthenticationError" ? "Unavailable" : "Mistake"
}
