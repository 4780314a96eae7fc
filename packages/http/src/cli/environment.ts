/** What every command works with: the settings, the log, and the workspace over the database that they name. */
import {
  type Authenticator,
  type Fetch,
  Fetcher,
  PublicUrl,
  type RecordsAdapter,
  SigningSecret,
  type StorageUnavailable,
  Workspace
} from "@lectern/core"
import type { MigrationError } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Logger, type LogLevel, type Redacted, References } from "effect"
import { nodeFetcher } from "../fetcher/nodeFetcher.ts"
import { type DatabaseUrl, displayDatabaseUrl } from "../settings/DatabaseUrl.ts"
import { BadSetting } from "../settings/Setting.ts"
import { convertersLayer } from "./converters.ts"

/** The store of a database. What speaks to PostgreSQL is only loaded for one. */
const storageOf = (url: DatabaseUrl): Layer.Layer<RecordsAdapter, StorageUnavailable | MigrationError> =>
  url._tag === "Sqlite"
    ? SqliteStorage.layer({ filename: url.filename })
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("@lectern/storage-pg")),
          ({ PgStorage }) => PgStorage.layer({ url: url.url })
        )
      )

/** The services of a workspace. */
export type WorkspaceServices = Workspace.WorkspaceServices | Workspace.OperatorServices | Authenticator

/**
 * The workspace in a database, whose addresses begin with `publicUrl` and are signed with `secret`, or with one that it
 * makes itself; what it fetches, it fetches by `fetcher`. That it cannot be opened is said in a line.
 */
export const workspaceOf = (
  url: DatabaseUrl,
  publicUrl: string,
  secret?: Redacted.Redacted<string>,
  fetcher: Fetch = nodeFetcher()
): Layer.Layer<WorkspaceServices, BadSetting> =>
  Workspace.layer.pipe(
    Layer.provide(storageOf(url)),
    // The server reads it too: in `Location`, in the OpenAPI document and in the policy of `/docs`.
    Layer.provideMerge(Layer.succeed(PublicUrl, publicUrl)),
    Layer.provide(Layer.succeed(Fetcher, fetcher)),
    Layer.provideMerge(convertersLayer),
    Layer.provide(secret === undefined ? Layer.empty : Layer.succeed(SigningSecret, secret)),
    Layer.catchTag(["StorageUnavailable", "SchemaTooNew", "TableNameConflict"], (error) =>
      Layer.effectContext<WorkspaceServices, BadSetting, never>(
        Effect.fail(
          new BadSetting({
            message:
              error._tag === "StorageUnavailable"
                ? `The database ${displayDatabaseUrl(url)} cannot be opened: ${reasonOf(error.cause) ?? error.detail}`
                : error._tag === "TableNameConflict"
                  ? `${error.message} These are options of the library: for the command line, use a database of its own.`
                  : error.message
          })
        )
      )
    )
  )

/** The words of the system on why a database cannot be opened, from the innermost cause. */
const reasonOf = (cause: unknown): string | undefined => {
  if (typeof cause !== "object" || cause === null) return undefined
  const inner = reasonOf("reason" in cause ? cause.reason : "cause" in cause ? cause.cause : undefined)
  return inner ?? (cause instanceof Error && cause.message !== "" ? cause.message : undefined)
}

const levels: Record<string, LogLevel.LogLevel> = {
  all: "All",
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
}

/** How messages are logged: to standard error, so that standard output is the command's own. */
export const logging = (level: string, format: "pretty" | "json") =>
  Layer.mergeAll(
    Logger.layer([format === "json" ? Logger.consoleJson : Logger.consolePretty()]),
    Layer.succeed(References.MinimumLogLevel, levels[level] ?? "Info"),
    // Nobody collects spans here, so none are made.
    Layer.succeed(References.TracerEnabled, false)
  )
