/** The store of a workspace in PostgreSQL: any number of processes over one database. */

import { PgClient } from "@effect/sql-pg"
import { type RecordsAdapter, StorageUnavailable, type Table } from "@lectern/core"
import {
  createTables,
  type Dialect,
  migrate,
  migrations,
  type SchemaTooNew,
  SqlRecords
} from "@lectern/storage-sql"
import { Effect, Layer, type Redacted } from "effect"

const types = { text: `TEXT COLLATE "C"`, integer: "BIGINT", boolean: "BOOLEAN", json: "TEXT" } as const

const arrays = { text: "TEXT[]", integer: "BIGINT[]", boolean: "BOOLEAN[]", json: "TEXT[]" } as const

/** Taken while one process migrates; the number only has to be ours. */
const migrationLock = 5_320_846

const foreignKeyCodes = ["23503", "23001"]

/** How PostgreSQL says things. Text is in the order of its bytes, which for UTF-8 is that of its code points. */
export const dialect: Dialect = {
  name: "postgres",
  parameter: (number) => `$${number}`,
  isIn: (column, kind, parameter) => `${column} = ANY(${parameter}::${arrays[kind]})`,
  list: (values) => values,
  position: (text, part) => `strpos(${text}, ${part})`,
  columnType: (kind) => types[kind],
  tableOptions: "",
  boolean: (value) => value,
  maximumParameters: 65_535,
  begin: "BEGIN ISOLATION LEVEL SERIALIZABLE",
  lockMigrations: `SELECT pg_advisory_xact_lock(${migrationLock})`,
  isReferenceViolation: (error) => {
    const cause = error.reason.cause
    return (
      typeof cause === "object" &&
      cause !== null &&
      "code" in cause &&
      foreignKeyCodes.includes(cause.code as string)
    )
  }
}

/** How a store is opened. */
export interface PgStorageConfig {
  /** As in `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted<string>
  /** The most connections that are open at once; 10 by default. */
  readonly maxConnections?: number
  /** Tables to make in place of the workspace's own, for tests of the store itself. */
  readonly tables?: ReadonlyArray<Table.AnyTable>
}

/** The layers of the store in PostgreSQL. */
export const PgStorage = {
  /** Connects to the database and brings its schema up to date. A connection that is lost is made anew. */
  layer: ({
    url,
    maxConnections = 10,
    tables
  }: PgStorageConfig): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> =>
    SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(
        Layer.effectDiscard(migrate(dialect, tables === undefined ? migrations : createTables(tables)))
      ),
      Layer.provide(PgClient.layer({ url, maxConnections, multiplex: true, applicationName: "lectern" })),
      Layer.catchTag(
        "SqlError",
        (error) =>
          Layer.effectDiscard(
            Effect.fail(
              new StorageUnavailable({ reason: "The PostgreSQL database cannot be reached.", cause: error })
            )
          ) as Layer.Layer<RecordsAdapter, StorageUnavailable>
      )
    )
}

/** The store in a PostgreSQL database, for `createWorkspace`. */
export const postgres = (
  url: Redacted.Redacted<string>
): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> => PgStorage.layer({ url })
