/** The public face of `@lectern/storage-sql`. */
export type { Dialect } from "./Dialect.ts"
export { createTables, type Migration, migrate, type SchemaChange, SchemaTooNew } from "./Migration.ts"
export { migrations } from "./migrations/index.ts"
export * as SqlRecords from "./SqlRecords.ts"
