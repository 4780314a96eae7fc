/** The store of a workspace in PostgreSQL: any number of processes over one database. */
import { PgClient } from "@effect/sql-pg"
import { type RecordsAdapter, StorageUnavailable } from "@lectern/core"
import {
  type Migration,
  migrated,
  migrations as ofTheWorkspace,
  type SchemaTooNew,
  SqlRecords
} from "@lectern/storage-sql"
import { Effect, Layer, type Redacted } from "effect"
import { dialect } from "./dialect.ts"

/** How a store is opened. */
export interface PgStorageConfig {
  /** As in `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted<string>
  /** The most connections that are open at once; 10 by default. */
  readonly maxConnections?: number
  /** What makes the schema: the workspace's by default. Others are for tests of the store itself. */
  readonly migrations?: ReadonlyArray<Migration>
}

/** How many statements a connection keeps prepared: more than the workspace has. */
const keptStatements = 500

/** The layers of the store in PostgreSQL. */
export const PgStorage = {
  /**
   * Connects to the database and brings its schema up to date. It fails with `StorageUnavailable` where the database
   * cannot be reached, and with `SchemaTooNew` where a later version of Lectern wrote it. A connection that is lost
   * later is made anew when it is needed.
   */
  layer: ({
    url,
    maxConnections = 10,
    migrations = ofTheWorkspace
  }: PgStorageConfig): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> =>
    SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(migrated(dialect, migrations)),
      Layer.provide(client(url, maxConnections))
    )
}

const client = (url: Redacted.Redacted<string>, maxConnections: number) =>
  PgClient.layer({
    url,
    maxConnections,
    applicationName: "lectern",
    // Statements outside of transactions go one behind the other, without waiting for answers in between.
    multiplex: true,
    preparedStatementCacheSize: keptStatements,
    keepAlive: "30 seconds"
  }).pipe(
    Layer.catchTag("SqlError", (cause) =>
      Layer.effectContext(
        Effect.fail(
          new StorageUnavailable({
            reason: "Unreachable",
            detail: "The PostgreSQL database cannot be reached.",
            cause
          })
        )
      )
    )
  )

/** The store in a PostgreSQL database, for `createWorkspace`. */
export const postgres = (
  url: Redacted.Redacted<string>
): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> => PgStorage.layer({ url })
