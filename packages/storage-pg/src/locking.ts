/** Locked transactions in PostgreSQL: `READ COMMITTED`, with advisory locks that end with the transaction. */
import type { Dialect } from "@lectern/storage-sql"

/** The default of `PgDialectOptions.lockTimeoutMs`. */
export const defaultLockTimeoutMs = 20_000

/**
 * Begins a locked transaction, each of whose statements has a snapshot of its own. Under SERIALIZABLE, the statement that acquires a
 * lock would fix the snapshot before it waits.
 */
export const beginLocked = "BEGIN ISOLATION LEVEL READ COMMITTED"

/** Returns the locking of a dialect. Workspaces in different schemas of one database have different locks. */
export const createLocking = (
  schema: string | undefined,
  timeoutMs: number = defaultLockTimeoutMs
): NonNullable<Dialect["locking"]> => ({
  begin: beginLocked,
  // SHARE and ROW EXCLUSIVE conflict with each other, but not with themselves. LOCK TABLE fixes no snapshot.
  gateOfSerializable: (table) => `LOCK TABLE ${table} IN SHARE MODE`,
  // A statement that can delete acquires ROW EXCLUSIVE before it is executed.
  gateOfLocked: (table) => `"gate" AS (DELETE FROM ${table} WHERE FALSE)`,
  timeoutMs,
  // `OFFSET 0` keeps the order of the inner query.
  acquire: (gate, locks) =>
    locks === ""
      ? `WITH ${gate} SELECT NULL AS "name" WHERE FALSE`
      : `WITH ${gate}, "locks" AS (${locks}) ` +
        `SELECT "name", (CASE WHEN "exclusive" THEN pg_advisory_xact_lock("key") ` +
        `ELSE pg_advisory_xact_lock_shared("key") END)::text AS "acquired" FROM (` +
        `SELECT "name", bool_or("exclusive") AS "exclusive", ` +
        `hashtextextended("name", hashtext('lectern ${schema ?? ""}')) AS "key" FROM "locks" ` +
        `GROUP BY "name" ORDER BY "key" OFFSET 0) AS "sorted"`
})
