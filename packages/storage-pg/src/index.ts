/** The public face of `@lectern/storage-pg`. */
export { PgStorage, type PgStorageConfig, postgres } from "./PgStorage.ts"
