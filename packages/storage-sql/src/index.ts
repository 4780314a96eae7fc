/** The public face of `@lectern/storage-sql`. */
export type { Dialect, Introspection, Meaning } from "./Dialect.ts"
export { createTables, type Migration, migrate, migrated, SchemaTooNew } from "./Migration.ts"
export { migrations } from "./migrations/index.ts"
export * as SchemaChange from "./SchemaChange.ts"
export * as SqlRecords from "./SqlRecords.ts"
export { verifySchema } from "./verifySchema.ts"
