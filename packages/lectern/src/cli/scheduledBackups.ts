/** The backups that a server takes at intervals. */
import { Clock, Effect, type Redacted } from "effect"
import { openBackupFolder } from "../backup/BackupFolder.ts"
import { type Database, displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError, environmentVariable } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { readDatabase } from "./stores.ts"
import { version } from "./version.ts"

/** When and where backups are taken. */
export interface BackupSchedule {
  /** The folder that backups are added to. */
  readonly folder: string
  readonly intervalHours: number
  /** The number of backups that remain. */
  readonly keep: number
}

const hourMs = 3_600_000

/** How long to wait after a failure, in milliseconds. */
const retryMs = 5 * 60_000

/** The longest wait before the folder is read again, in milliseconds: other processes can add backups. */
const maximumWaitMs = hourMs

/** Returns the database for backups, which need few connections and no check that would block the server. */
const databaseOfBackups = (database: Database): Database =>
  database._tag === "Sqlite"
    ? { ...database, integrityCheck: "skip" }
    : { ...database, options: { ...database.options, maxConnections: 2 } }

/**
 * Takes a backup whenever the newest of the folder is older than the interval, and deletes old ones. Servers that share a
 * folder take turns. Failures are logged, and retried after 5 minutes.
 */
export const takeScheduledBackups = (
  database: Database,
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  { folder, intervalHours, keep }: BackupSchedule
): Effect.Effect<never> => {
  const backups = openBackupFolder(folder)
  const untilDueMs = Effect.gen(function* () {
    const newest = yield* backups.findNewest
    if (newest === undefined) return 0
    return Date.parse(newest.manifest.createdAt) + intervalHours * hourMs - (yield* Clock.currentTimeMillis)
  })
  const takeBackup = Effect.gen(function* () {
    const { id, manifest } = yield* readDatabase(
      databaseOfBackups(database),
      // The server that takes the backup uses the same secrets.
      { secrets, acceptSecret: true, record: "Backups.create" },
      (source) => backups.write(source, version)
    )
    const removed = yield* backups.prune(keep)
    yield* Effect.logInfo(
      `Wrote the backup ${id} to ${folder}: ${manifest.blobs.count} blobs. Deleted ${removed.length} old backups.`
    )
  })
  return Effect.forever(
    Effect.gen(function* () {
      const waitMs = yield* untilDueMs
      if (waitMs > 0) return yield* Effect.sleep(Math.min(waitMs, maximumWaitMs))
      yield* takeBackup
    }).pipe(
      Effect.catch((error) =>
        Effect.andThen(
          Effect.logError(`The backup to ${folder} failed: ${error.message}`),
          Effect.sleep(retryMs)
        )
      )
    )
  )
}

/** Fails if a database cannot be backed up while it is served. */
export const requireBackupPossible = (database: Database): Effect.Effect<void, ConfigurationError> =>
  database._tag === "Sqlite" && database.filename === ":memory:"
    ? Effect.fail(
        new ConfigurationError({
          message: `${environmentVariable(Settings.backupTo)} requires a database that other connections can open; ${displayDatabase(database)} is in memory.`
        })
      )
    : Effect.void
