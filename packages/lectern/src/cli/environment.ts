/** The layers that a command runs in: the workspace over its database, and the log. */
import {
  type Authenticator,
  type Fetch,
  Fetcher,
  PublicUrl,
  type RecordsAdapter,
  SigningSecret,
  type StorageUnavailable,
  Workspace,
  type WorkspaceSecret,
  WorkspaceSecrets
} from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import {
  migrations as allMigrations,
  type Migration,
  type MigrationError,
  type MigrationStatus
} from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Console, Effect, Layer, Logger, type LogLevel, type Redacted, References } from "effect"
import { type Database, displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError, environmentVariable } from "../settings/Setting.ts"
import { databasePrefix, databaseSchema } from "../settings/Settings.ts"
import { convertersLayer } from "./converters.ts"

const sqliteOptions = (database: Extract<Database, { readonly _tag: "Sqlite" }>) => ({
  filename: database.filename,
  prefix: database.prefix,
  integrityCheck: database.integrityCheck
})

const postgresOptions = (database: Extract<Database, { readonly _tag: "Postgres" }>) => ({
  ...database.options,
  url: database.url,
  schema: database.schema
})

/** Loads the PostgreSQL driver, on demand: most commands run on SQLite. */
const loadPostgres = Effect.promise(() => import("@lectern/storage-pg"))

/** The store over a database, which is migrated: by all migrations, or by `migrations`. */
const storageLayer = (
  database: Database,
  migrations: ReadonlyArray<Migration> = allMigrations
): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> =>
  database._tag === "Sqlite"
    ? SqliteStorage.layer({ ...sqliteOptions(database), migrations })
    : Layer.unwrap(
        Effect.map(loadPostgres, ({ PgStorage }) =>
          PgStorage.layer({ ...postgresOptions(database), migrations })
        )
      )

/** The store over a database with the first `schema` migrations. Fails with `ConfigurationError` if it cannot be opened. */
export const storageOfSchema = (
  database: Database,
  schema: number
): Layer.Layer<RecordsAdapter, ConfigurationError> =>
  Layer.catchTag(
    storageLayer(database, allMigrations.slice(0, schema)),
    ["StorageUnavailable", "SchemaTooNew", "TableNameConflict"],
    (error) =>
      Layer.effectContext<RecordsAdapter, ConfigurationError, never>(
        Effect.fail(new ConfigurationError({ message: openErrorMessage(database, error) }))
      )
  )

/** Reads which migrations a database needs. Fails with `ConfigurationError` if the database cannot be opened. */
export const readMigrationStatus = (database: Database): Effect.Effect<MigrationStatus, ConfigurationError> =>
  Effect.catchTag(
    database._tag === "Sqlite"
      ? SqliteStorage.migrationStatus(sqliteOptions(database))
      : Effect.flatMap(loadPostgres, ({ PgStorage }) => PgStorage.migrationStatus(postgresOptions(database))),
    "StorageUnavailable",
    (error) => Effect.fail(new ConfigurationError({ message: openErrorMessage(database, error) }))
  )

/** The secrets of the workspace that the settings configure. */
export interface ConfiguredSecrets {
  /** The only secret, or the last of several. */
  readonly secret?: Redacted.Redacted<string> | undefined
  /** Secrets with ids: the first is the current one. */
  readonly secrets?: ReadonlyArray<WorkspaceSecret> | undefined
}

/** The services that commands use. */
export type WorkspaceServices = Workspace.WorkspaceServices | Workspace.OperatorServices | Authenticator

/**
 * The workspace over a database, which is opened and migrated.
 *
 * `publicUrl` is the base of its URLs. They are signed with the first of `secrets`, by default with a key that is generated and stored.
 * `fetcher` performs its requests to other servers. Fails with `ConfigurationError` if the database cannot be opened.
 */
export const workspaceLayer = (
  database: Database,
  publicUrl: string,
  secrets: ConfiguredSecrets = {},
  fetcher: Fetch = nodeFetcher()
): Layer.Layer<WorkspaceServices, ConfigurationError> =>
  Workspace.layer.pipe(
    Layer.provide(storageLayer(database)),
    // The server reads it too: for `Location`, for the OpenAPI document and for the security policy of `/docs`.
    Layer.provideMerge(Layer.succeed(PublicUrl, publicUrl)),
    // The server reads it too: for OpenID Connect.
    Layer.provideMerge(Layer.succeed(Fetcher, fetcher)),
    Layer.provideMerge(convertersLayer),
    Layer.provide(secrets.secret === undefined ? Layer.empty : Layer.succeed(SigningSecret, secrets.secret)),
    Layer.provide(
      secrets.secrets === undefined ? Layer.empty : Layer.succeed(WorkspaceSecrets, secrets.secrets)
    ),
    Layer.catchTag(["StorageUnavailable", "SchemaTooNew", "TableNameConflict"], (error) =>
      Layer.effectContext<WorkspaceServices, ConfigurationError, never>(
        Effect.fail(new ConfigurationError({ message: openErrorMessage(database, error) }))
      )
    )
  )

const openErrorMessage = (database: Database, error: StorageUnavailable | MigrationError): string => {
  switch (error._tag) {
    case "StorageUnavailable": {
      const reason = innermostMessage(error.cause) ?? error.detail
      return `The database ${displayDatabase(database)} cannot be opened: ${reason}`
    }
    case "TableNameConflict": {
      const setting = database._tag === "Sqlite" ? databasePrefix : databaseSchema
      return `${error.message} On the command line, set ${environmentVariable(setting)}.`
    }
    case "SchemaTooNew":
      return error.message
  }
}

/** Returns the message of the innermost cause, which is that of the operating system or the driver. */
const innermostMessage = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  const inner = innermostMessage(
    "reason" in cause ? cause.reason : "cause" in cause ? cause.cause : undefined
  )
  return inner ?? (cause instanceof Error && cause.message !== "" ? cause.message : undefined)
}

const logLevels: Record<string, LogLevel.LogLevel> = {
  all: "All",
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
}

/** Writes one object per line. Unlike `Logger.consoleJson`, it writes to standard error if `LogToStderr` is set. */
const jsonLogger = Logger.make((options) => {
  const console = options.fiber.getRef(Console.Console)
  const line = Logger.formatJson.log(options)
  if (options.fiber.getRef(References.LogToStderr)) console.error(line)
  else console.log(line)
})

/** Where a log is written: a server has no other output, and other commands write their results to standard output. */
export type LogOutput = "stdout" | "stderr"

/** The logger. */
export const loggingLayer = (level: string, format: "pretty" | "json", output: LogOutput) =>
  Layer.mergeAll(
    Logger.layer([format === "json" ? jsonLogger : Logger.consolePretty()]),
    Layer.succeed(References.LogToStderr, output === "stderr"),
    Layer.succeed(References.MinimumLogLevel, logLevels[level] ?? "Info"),
    // Without an exporter, spans would only cost time. `telemetry.ts` enables them.
    Layer.succeed(References.TracerEnabled, false)
  )
