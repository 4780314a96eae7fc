/** The flags that several commands share, and the environment that they configure. */
import type { Fetch } from "@lectern/core"
import { Effect, type FileSystem, type Layer, Option } from "effect"
import { GlobalFlag } from "effect/cli"
import { describeUnknownVariables } from "../settings/allSettings.ts"
import type { Database } from "../settings/DatabaseUrl.ts"
import { type PostgresConnectionOptions, postgresSettings } from "../settings/postgresSettings.ts"
import {
  ConfigurationError,
  environmentVariable,
  readRequiredSetting,
  readSetting,
  readSourcedSetting,
  readVariable,
  type Setting,
  settingFlag
} from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import {
  type ConfiguredSecrets,
  type LogOutput,
  loggingLayer,
  type WorkspaceServices,
  workspaceLayer
} from "./environment.ts"
import { readPublicUrl } from "./publicUrl.ts"

/** The flags of every command: they name the database and configure the log. */
export const workspaceFlags = {
  databaseUrl: settingFlag(Settings.databaseUrl),
  databasePrefix: settingFlag(Settings.databasePrefix),
  databaseSchema: settingFlag(Settings.databaseSchema),
  databaseCheck: settingFlag(Settings.databaseCheck),
  logFormat: settingFlag(Settings.logFormat)
}

/** The flags of the connections to PostgreSQL. Other commands than `serve` read only the environment variables. */
export const postgresFlags = {
  maxConnections: settingFlag(postgresSettings.maxConnections),
  maxWaiting: settingFlag(postgresSettings.maxWaiting),
  acquireTimeoutMs: settingFlag(postgresSettings.acquireTimeoutMs),
  statementTimeoutMs: settingFlag(postgresSettings.statementTimeoutMs),
  lockTimeoutMs: settingFlag(postgresSettings.lockTimeoutMs),
  preparedStatements: settingFlag(postgresSettings.preparedStatements),
  listenUrl: settingFlag(postgresSettings.listenUrl)
}

/** The values of {@link workspaceFlags}, and of {@link postgresFlags} if the command has them, as text. */
export type WorkspaceFlags = { readonly [K in keyof typeof workspaceFlags]: Option.Option<string> } & {
  readonly [K in keyof typeof postgresFlags]?: Option.Option<string>
}

/** Reads the options of the connections, and the name of the source of one that is set. */
const readPostgresOptions = Effect.fnUntraced(function* (flags: WorkspaceFlags) {
  const read = <A>(setting: Setting<A>, flag: Option.Option<string> = Option.none()) =>
    readSourcedSetting(setting, flag)
  const { maxConnections, maxWaiting, acquireTimeoutMs, statementTimeoutMs, lockTimeoutMs } = postgresSettings
  const sourced = {
    maxConnections: yield* read(maxConnections, flags.maxConnections),
    maxWaiting: yield* read(maxWaiting, flags.maxWaiting),
    acquireTimeoutMs: yield* read(acquireTimeoutMs, flags.acquireTimeoutMs),
    statementTimeoutMs: yield* read(statementTimeoutMs, flags.statementTimeoutMs),
    lockTimeoutMs: yield* read(lockTimeoutMs, flags.lockTimeoutMs),
    preparedStatements: yield* read(postgresSettings.preparedStatements, flags.preparedStatements),
    listenUrl: yield* read(postgresSettings.listenUrl, flags.listenUrl)
  }
  const options: PostgresConnectionOptions = {
    maxConnections: sourced.maxConnections?.value,
    maxWaiting: sourced.maxWaiting?.value,
    acquireTimeoutMs: sourced.acquireTimeoutMs?.value,
    statementTimeoutMs: sourced.statementTimeoutMs?.value,
    lockTimeoutMs: sourced.lockTimeoutMs?.value,
    preparedStatements:
      sourced.preparedStatements === undefined ? undefined : sourced.preparedStatements.value === "true",
    listenUrl: sourced.listenUrl?.value
  }
  return { options, source: Object.values(sourced).find((setting) => setting !== undefined)?.source }
})

/** The variable in which host applications and platforms name a database, which can be that of another program. */
const databaseOfHost = "DATABASE_URL"

/**
 * Reads the URL of the database. Fails if only the variable of the host application names one: most commands migrate the
 * database, and would create Lectern's tables in it.
 */
const readDatabaseUrl = Effect.fnUntraced(function* (flag: Option.Option<string>) {
  const { fallback: _, ...withoutDefault } = Settings.databaseUrl
  const chosen = yield* readSetting(withoutDefault, flag)
  if (chosen !== undefined) return chosen
  if (Option.isSome(yield* readVariable(databaseOfHost))) {
    const variable = environmentVariable(Settings.databaseUrl)
    return yield* new ConfigurationError({
      message: `${databaseOfHost} is set, but Lectern does not use it: it can be the database of another application. Set ${variable} or --${Settings.databaseUrl.flag}; to use that database, set ${variable} to the value of ${databaseOfHost}.`
    })
  }
  return yield* readRequiredSetting(Settings.databaseUrl, flag)
})

/** Reads the database. A prefix for PostgreSQL, or a schema for SQLite, is a `ConfigurationError`. */
const readDatabase = (
  flags: WorkspaceFlags
): Effect.Effect<Database, ConfigurationError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const url = yield* readDatabaseUrl(flags.databaseUrl)
    const prefix = yield* readSourcedSetting(Settings.databasePrefix, flags.databasePrefix)
    const schema = yield* readSourcedSetting(Settings.databaseSchema, flags.databaseSchema)
    const check = yield* readSourcedSetting(Settings.databaseCheck, flags.databaseCheck)
    const { options, source } = yield* readPostgresOptions(flags)
    if (url._tag === "Sqlite" && source !== undefined) {
      return yield* new ConfigurationError({
        message: `${source} applies to PostgreSQL only, and the database is SQLite. Remove it.`
      })
    }
    if (url._tag === "Sqlite" && schema !== undefined) {
      return yield* new ConfigurationError({
        message: `${schema.source} applies to PostgreSQL only, and the database is SQLite. Use ${environmentVariable(Settings.databasePrefix)} instead, or remove it.`
      })
    }
    if (url._tag === "Postgres" && prefix !== undefined) {
      return yield* new ConfigurationError({
        message: `${prefix.source} applies to SQLite only, and the database is PostgreSQL. Use ${environmentVariable(Settings.databaseSchema)} instead, or remove it.`
      })
    }
    if (url._tag === "Postgres" && check !== undefined) {
      return yield* new ConfigurationError({
        message: `${check.source} applies to SQLite only, and the database is PostgreSQL. Remove it.`
      })
    }
    return url._tag === "Sqlite"
      ? { ...url, prefix: prefix?.value, integrityCheck: check?.value }
      : { ...url, schema: schema?.value, options }
  })

/** The environment of a command. */
export interface Environment {
  /** The database of the workspace. */
  readonly database: Database
  /** The services of the workspace, which opens and migrates the database. */
  readonly workspace: Layer.Layer<WorkspaceServices, ConfigurationError>
  /** The logger, with its level and format. */
  readonly logging: Layer.Layer<never>
  /** The format of the log. */
  readonly logFormat: "pretty" | "json"
}

/** Options of {@link readEnvironment}, which `lectern serve` sets from its own flags. */
export interface EnvironmentOptions {
  /** The base of all URLs in responses. By default, the settings apply. */
  readonly publicUrl?: string
  /** The secrets of the flags. By default, the environment variables apply. */
  readonly secrets?: ConfiguredSecrets
  /** Fetches external content. By default, from public addresses only. */
  readonly fetcher?: Fetch
  /** What to do with a corrupt SQLite file. By default, the setting applies. */
  readonly integrityCheck?: "skip"
  /** Where the log is written. By default, to standard error. */
  readonly logOutput?: LogOutput
}

/** Reads the settings that the flags, the environment and the defaults determine. */
export const readEnvironment = (
  flags: WorkspaceFlags,
  { publicUrl, secrets, fetcher, integrityCheck, logOutput = "stderr" }: EnvironmentOptions = {}
): Effect.Effect<
  Environment,
  ConfigurationError,
  FileSystem.FileSystem | GlobalFlag.Setting.Identifier<"log-level">
> =>
  Effect.gen(function* () {
    const unknownVariables = describeUnknownVariables(Object.keys(process.env))
    if (unknownVariables !== undefined) {
      return yield* new ConfigurationError({ message: unknownVariables })
    }
    const configured = yield* readDatabase(flags)
    const database: Database =
      integrityCheck === undefined || configured._tag === "Postgres"
        ? configured
        : { ...configured, integrityCheck }
    // Effect's command line declares this flag for every command.
    const levelFlag = yield* GlobalFlag.LogLevel
    const level = yield* readRequiredSetting(
      Settings.logLevel,
      Option.map(levelFlag, (level) => level.toLowerCase())
    )
    const selected = yield* readRequiredSetting(Settings.logFormat, flags.logFormat)
    const format = selected === "auto" ? (process[logOutput].isTTY === true ? "pretty" : "json") : selected
    return {
      logFormat: format,
      database,
      workspace: workspaceLayer(
        database,
        publicUrl ?? (yield* readPublicUrl()),
        secrets ?? {
          secret: yield* readSetting(Settings.secret, Option.none()),
          secrets: yield* readSetting(Settings.secrets, Option.none())
        },
        fetcher
      ),
      logging: loggingLayer(level, format, logOutput)
    }
  })

/** Runs an effect with the services of the workspace that the settings name. */
export const inWorkspace =
  (flags: WorkspaceFlags, options?: EnvironmentOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(readEnvironment(flags, options), ({ workspace, logging }) =>
      effect.pipe(Effect.provide(workspace), Effect.provide(logging))
    )
