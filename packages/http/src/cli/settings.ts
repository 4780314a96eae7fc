/** The flags that several commands share, and the environment that they configure. */
import type { Fetch } from "@lectern/core"
import { Effect, type FileSystem, type Layer, Option, type Redacted } from "effect"
import { GlobalFlag } from "effect/cli"
import type { Database } from "../settings/DatabaseUrl.ts"
import {
  ConfigurationError,
  environmentVariable,
  readSetting,
  readSourcedSetting,
  type Setting,
  settingFlag
} from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { loggingLayer, type WorkspaceServices, workspaceLayer } from "./environment.ts"

/** The flags of every command: they name the database and configure the log. */
export const workspaceFlags = {
  databaseUrl: settingFlag(Settings.databaseUrl),
  databasePrefix: settingFlag(Settings.databasePrefix),
  databaseSchema: settingFlag(Settings.databaseSchema),
  logFormat: settingFlag(Settings.logFormat)
}

/** The values of {@link workspaceFlags}, as text. */
export type WorkspaceFlags = { readonly [K in keyof typeof workspaceFlags]: Option.Option<string> }

/** Reads a setting that has a default. */
export const readRequiredSetting = <A>(
  setting: Setting<A>,
  flag: Option.Option<string>
): Effect.Effect<A, ConfigurationError, FileSystem.FileSystem> =>
  Effect.map(readSetting(setting, flag), (value) => value as A)

/** Reads the database. A prefix for PostgreSQL, or a schema for SQLite, is a `ConfigurationError`. */
const readDatabase = (
  flags: WorkspaceFlags
): Effect.Effect<Database, ConfigurationError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const url = yield* readRequiredSetting(Settings.databaseUrl, flags.databaseUrl)
    const prefix = yield* readSourcedSetting(Settings.databasePrefix, flags.databasePrefix)
    const schema = yield* readSourcedSetting(Settings.databaseSchema, flags.databaseSchema)
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
    return url._tag === "Sqlite" ? { ...url, prefix: prefix?.value } : { ...url, schema: schema?.value }
  })

/** The environment of a command. */
export interface Environment {
  /** The database of the workspace. */
  readonly database: Database
  /** The services of the workspace, which opens and migrates the database. */
  readonly workspace: Layer.Layer<WorkspaceServices, ConfigurationError>
  /** The logger, with its level and format. */
  readonly logging: Layer.Layer<never>
}

/** Options of {@link readEnvironment}, which `lectern serve` sets from its own flags. */
export interface EnvironmentOptions {
  /** The base of all URLs in responses. By default, `http://127.0.0.1:4400`. */
  readonly publicUrl?: string
  /** The key that signs download URLs. By default, the workspace generates and stores one. */
  readonly secret?: Redacted.Redacted<string> | undefined
  /** Fetches external content. By default, from public addresses only. */
  readonly fetcher?: Fetch
}

/** Reads the settings that the flags, the environment and the defaults determine. */
export const readEnvironment = (
  flags: WorkspaceFlags,
  { publicUrl = "http://127.0.0.1:4400", secret, fetcher }: EnvironmentOptions = {}
): Effect.Effect<
  Environment,
  ConfigurationError,
  FileSystem.FileSystem | GlobalFlag.Setting.Identifier<"log-level">
> =>
  Effect.gen(function* () {
    const database = yield* readDatabase(flags)
    // Effect's command line declares this flag for every command.
    const levelFlag = yield* GlobalFlag.LogLevel
    const level = yield* readRequiredSetting(
      Settings.logLevel,
      Option.map(levelFlag, (level) => level.toLowerCase())
    )
    const format = yield* readRequiredSetting(Settings.logFormat, flags.logFormat)
    return {
      database,
      workspace: workspaceLayer(database, publicUrl, secret, fetcher),
      logging: loggingLayer(level, format)
    }
  })
