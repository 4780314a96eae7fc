/** The entry point of `@lectern/storage-sql`. */

export { DatabaseFileError, SharedDatabaseError } from "./classify.ts"
export type {
  Dialect,
  DialectFamily,
  ErrorClass,
  Introspection,
  SearchParameters,
  SearchSource
} from "./Dialect.ts"
export { checkHostStatement } from "./hostStatements.ts"
export {
  createTables,
  type Migration,
  type MigrationError,
  migrate,
  migrationHistoryTable,
  migrationLayer,
  SchemaTooNew,
  TableNameConflict
} from "./Migration.ts"
export {
  type MigrationStatus,
  migrationStatusAt,
  type PendingMigration,
  readMigrationStatus
} from "./migrationStatus.ts"
export { migrations } from "./migrations/index.ts"
export { createsCacheVersions, maximumRaisedVersions } from "./raisedVersions.ts"
export * as SchemaChange from "./SchemaChange.ts"
export * as SqlRecords from "./SqlRecords.ts"
export { tablesOfSchema } from "./tablesOfSchema.ts"
export { verifySchema } from "./verifySchema.ts"
