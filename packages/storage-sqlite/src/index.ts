/** The public face of `@lectern/storage-sqlite`. */
export { dialect } from "./dialect.ts"
export * as SqliteClient from "./SqliteClient.ts"
export { SqliteStorage, type SqliteStorageConfig, sqlite } from "./SqliteStorage.ts"
