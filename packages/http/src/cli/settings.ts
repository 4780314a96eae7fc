/** The settings of commands, as flags. */

import type { Fetch } from "@lectern/core"
import { Effect, type FileSystem, type Layer, Option, type Redacted } from "effect"
import { GlobalFlag } from "effect/cli"
import type { DatabaseUrl } from "../settings/DatabaseUrl.ts"
import * as Setting from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { logging, type WorkspaceServices, workspaceOf } from "./environment.ts"

/** What every command can be told. */
export const common = {
  databaseUrl: Setting.flagOf(Settings.databaseUrl),
  logFormat: Setting.flagOf(Settings.logFormat)
}

/** The flags of {@link common}, as they were given. */
export interface Common {
  readonly databaseUrl: Option.Option<string>
  readonly logFormat: Option.Option<string>
}

/** The value of a setting that has a default. */
export const required = <A>(
  setting: Setting.Setting<A>,
  flag: Option.Option<string>
): Effect.Effect<A, Setting.BadSetting, FileSystem.FileSystem> =>
  Effect.map(Setting.readSetting(setting, flag), (value) => value as A)

/** What a command runs with: its database, the workspace in it, and the log. */
export interface Environment {
  readonly database: DatabaseUrl
  readonly workspace: Layer.Layer<WorkspaceServices, Setting.BadSetting>
  readonly logging: Layer.Layer<never>
}

/** What the flags of a command name. */
export const inWorkspace = (
  flags: Common,
  publicUrl = "http://127.0.0.1:4400",
  secret?: Redacted.Redacted<string>,
  fetcher?: Fetch
): Effect.Effect<
  Environment,
  Setting.BadSetting,
  FileSystem.FileSystem | GlobalFlag.Setting.Identifier<"log-level">
> =>
  Effect.gen(function* () {
    const database = yield* required(Settings.databaseUrl, flags.databaseUrl)
    // The flag is one of the command line's own, which every command has.
    const given = yield* GlobalFlag.LogLevel
    const level = yield* required(
      Settings.logLevel,
      Option.map(given, (level) => level.toLowerCase())
    )
    const format = yield* required(Settings.logFormat, flags.logFormat)
    return {
      database,
      workspace: workspaceOf(database, publicUrl, secret, fetcher),
      logging: logging(level, format)
    }
  })
