/** The public face of `@lectern/storage-sqlite`. */
export * as SqliteClient from "./SqliteClient.ts"
export { SqliteStorage, type SqliteStorageConfig, sqlite } from "./SqliteStorage.ts"
