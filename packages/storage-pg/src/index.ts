/** The entry point of `@lectern/storage-pg`. */

export { createDialect, dialect, type PgDialectOptions } from "./dialect.ts"
export { pgClient } from "./HostClient.ts"
export type { HostPool, HostPoolClient, HostQuery, HostResult } from "./hostTypes.ts"
export { type JoinableClient, pgTransaction } from "./JoinedClient.ts"
export { PgStorage, type PgStorageConfig, type PostgresOptions, postgres } from "./PgStorage.ts"
