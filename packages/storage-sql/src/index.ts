/** The public face of `@lectern/storage-sql`. */

export { SharedDatabaseError } from "./classify.ts"
export type { Dialect, Introspection, Meaning } from "./Dialect.ts"
export {
  createTables,
  type Migration,
  type MigrationError,
  migrate,
  migrated,
  SchemaTooNew,
  TableNameConflict
} from "./Migration.ts"
export { migrations } from "./migrations/index.ts"
export * as SchemaChange from "./SchemaChange.ts"
export * as SqlRecords from "./SqlRecords.ts"
export { verifySchema } from "./verifySchema.ts"
