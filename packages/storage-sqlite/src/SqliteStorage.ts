/** The store of a workspace in SQLite: one file, one process. */
import { type RecordsAdapter, StorageUnavailable } from "@lectern/core"
import {
  type Migration,
  migrated,
  migrations as ofTheWorkspace,
  type SchemaTooNew,
  SqlRecords
} from "@lectern/storage-sql"
import { Effect, Layer } from "effect"
import { dialect } from "./dialect.ts"
import * as SqliteClient from "./SqliteClient.ts"

/** How a store is opened. */
export interface SqliteStorageConfig {
  /** The file, made where there is none, with the folders above it; or `:memory:`, which is gone with the process. */
  readonly filename: string
  /** What makes the schema: the workspace's by default. Others are for tests of the store itself. */
  readonly migrations?: ReadonlyArray<Migration>
}

/** The layers of the store in SQLite. */
export const SqliteStorage = {
  /**
   * Opens the store and brings its schema up to date. It fails with `StorageUnavailable` where the file cannot be
   * opened, and with `SchemaTooNew` where a later version of Lectern wrote it.
   */
  layer: ({
    filename,
    migrations = ofTheWorkspace
  }: SqliteStorageConfig): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> =>
    Layer.unwrap(
      Effect.map(SqliteClient.SqliteConnection, (connection) => SqlRecords.layer(dialect, connection.execute))
    ).pipe(Layer.provideMerge(migrated(dialect, migrations)), Layer.provide(client(filename)))
}

const client = (filename: string) =>
  SqliteClient.layer({ filename }).pipe(
    Layer.catchTag("SqlError", (cause) =>
      Layer.effectContext(
        Effect.fail(
          new StorageUnavailable({
            reason: "Unreachable",
            detail: `The SQLite database ${filename} cannot be opened.`,
            cause
          })
        )
      )
    )
  )

/** The store in a SQLite file, for `createWorkspace`. */
export const sqlite = (filename: string): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> =>
  SqliteStorage.layer({ filename })
