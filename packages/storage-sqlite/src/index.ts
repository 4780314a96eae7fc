/** The entry point of `@lectern/storage-sqlite`. */

export { createDialect, dialect, type SqliteDialectOptions } from "./dialect.ts"
export { sqliteDatabase } from "./hostDatabase.ts"
export { type RewrittenFile, rewriteFile } from "./rewriteFile.ts"
export * as SqliteClient from "./SqliteClient.ts"
export { type SqliteOptions, SqliteStorage, type SqliteStorageConfig, sqlite } from "./SqliteStorage.ts"
export {
  type SalvagedTable,
  SalvageError,
  type SalvageOptions,
  type SalvageReport,
  salvage
} from "./salvage/salvage.ts"
export { runExclusively } from "./sharedDatabase.ts"
