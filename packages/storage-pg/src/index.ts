/** The public face of `@lectern/storage-pg`. */
export { dialect } from "./dialect.ts"
export { PgStorage, type PgStorageConfig, postgres } from "./PgStorage.ts"
