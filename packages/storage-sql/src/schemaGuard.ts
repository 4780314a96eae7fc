/** Rejects the transactions of a process that is older than the schema, which a newer version migrated while it ran. */
import { StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Dialect } from "./Dialect.ts"
import { migrationHistoryTable } from "./Migration.ts"

/** How long a process relies on the version that it has read, in milliseconds, if reading it is a round trip. */
const validityMs = 1_000

type ReadVersion = (
  text: string
) => Effect.Effect<ReadonlyArray<{ readonly [column: string]: unknown }>, SqlError>

/** Where a transaction verifies the version of the schema. At most one of both is defined. */
export interface SchemaGuard {
  /** Runs first in each transaction. */
  readonly inTransaction: Effect.Effect<void, SqlError | StorageUnavailable> | undefined
  /** Runs before each transaction begins. */
  readonly beforeTransaction: Effect.Effect<void, SqlError | StorageUnavailable> | undefined
}

/**
 * Creates the guard of a process that supports the schema up to a version. If a write transaction excludes other
 * processes, each one reads the version, in a few microseconds: no write follows a migration. Otherwise, at most
 * one statement per second reads it, before a transaction, so that writes end at most one second after a migration.
 */
export const makeSchemaGuard = (
  dialect: Dialect,
  supported: number | undefined,
  readVersion: ReadVersion
): SchemaGuard => {
  if (supported === undefined) return { inTransaction: undefined, beforeTransaction: undefined }
  const verify = Effect.suspend(() =>
    Effect.flatMap(
      readVersion(`SELECT MAX("number") AS "last" FROM ${dialect.table(migrationHistoryTable)}`),
      ([row]) => {
        const version = Number(row?.last ?? 0)
        return version <= supported
          ? Effect.void
          : Effect.fail(
              new StorageUnavailable({
                reason: "SchemaTooNew",
                detail: `A newer version of Lectern migrated the schema to version ${version}; this process supports at most ${supported}, and no longer writes. Restart it with the newer version.`
              })
            )
      }
    )
  )
  if (dialect.lockMigrations === undefined) return { inTransaction: verify, beforeTransaction: undefined }
  let verifiedAt = Number.NEGATIVE_INFINITY
  return {
    inTransaction: undefined,
    beforeTransaction: Effect.suspend(() => {
      const now = performance.now()
      if (now - verifiedAt < validityMs) return Effect.void
      return Effect.tap(verify, () =>
        Effect.sync(() => {
          verifiedAt = now
        })
      )
    })
  }
}
