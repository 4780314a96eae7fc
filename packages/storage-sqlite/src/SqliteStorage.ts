/** The store of a workspace in SQLite: one file, one process. */
import type { RecordsAdapter } from "@lectern/core"
import { StorageUnavailable, type Table } from "@lectern/core"
import {
  createTables,
  type Dialect,
  migrate,
  migrations,
  type SchemaTooNew,
  SqlRecords
} from "@lectern/storage-sql"
import { Effect, Layer } from "effect"
import { codeOf } from "./classify.ts"
import * as SqliteClient from "./SqliteClient.ts"

const SQLITE_CONSTRAINT_FOREIGNKEY = 787

const types = { text: "TEXT", integer: "INTEGER", boolean: "INTEGER", json: "TEXT" } as const

/** How SQLite says things. */
export const dialect: Dialect = {
  name: "sqlite",
  parameter: () => "?",
  isIn: (column, _kind, parameter) => `${column} IN (SELECT "value" FROM json_each(${parameter}))`,
  list: (values) => JSON.stringify(values),
  position: (text, part) => `instr(${text}, ${part})`,
  columnType: (kind) => types[kind],
  tableOptions: " STRICT, WITHOUT ROWID",
  boolean: (value) => (value ? 1 : 0),
  maximumParameters: 32_766,
  begin: "BEGIN IMMEDIATE",
  lockMigrations: undefined,
  isReferenceViolation: (error) => {
    const cause = error.reason.cause
    const own = typeof cause === "object" && cause !== null && "cause" in cause ? cause.cause : cause
    return codeOf(own) === SQLITE_CONSTRAINT_FOREIGNKEY
  }
}

/** How a store is opened. */
export interface SqliteStorageConfig {
  /** The file, made where there is none; or `:memory:`, which is gone with the process. */
  readonly filename: string
  /** Tables to make in place of the workspace's own, for tests of the store itself. */
  readonly tables?: ReadonlyArray<Table.AnyTable>
}

/** The layers of the store in SQLite. */
export const SqliteStorage = {
  /** Opens the store and brings its schema up to date. */
  layer: ({
    filename,
    tables
  }: SqliteStorageConfig): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> =>
    SqlRecords.layer(dialect).pipe(
      Layer.provideMerge(
        Layer.effectDiscard(migrate(dialect, tables === undefined ? migrations : createTables(tables)))
      ),
      Layer.provide(SqliteClient.layer({ filename })),
      Layer.catchTag(
        "SqlError",
        (error) =>
          Layer.effectDiscard(
            Effect.fail(
              new StorageUnavailable({
                reason: `The SQLite database ${filename} cannot be opened.`,
                cause: error
              })
            )
          ) as Layer.Layer<RecordsAdapter, StorageUnavailable>
      )
    )
}

/** The store in a SQLite file, for `createWorkspace`. */
export const sqlite = (filename: string): Layer.Layer<RecordsAdapter, StorageUnavailable | SchemaTooNew> =>
  SqliteStorage.layer({ filename })
