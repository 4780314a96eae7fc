/** The databases that the commands of backups read and write. */
import {
  BackupError,
  type BackupOperation,
  type BackupSecret,
  type BackupSource,
  findStoredSecret,
  type LoadedBackup,
  loadBackup,
  type OnBackupProgress,
  type OrganizationId,
  RecordsAdapter,
  readStore,
  recordBackup,
  type StorageUnavailable,
  secretFingerprint
} from "@lectern/core"
import { Effect, Option, type Redacted } from "effect"
import { latestSchema, tablesOfStore } from "../backup/backupTables.ts"
import { type Database, displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError, readSetting } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"
import { readMigrationStatus, storageOfSchema } from "./environment.ts"

/** The current secret that the environment configures, or undefined if the workspace stores its own. */
export const configuredSecret = Effect.gen(function* () {
  const [current] = (yield* readSetting(Settings.secrets, Option.none())) ?? []
  return current?.secret ?? (yield* readSetting(Settings.secret, Option.none()))
})

/** The errors of {@link readDatabase} and {@link loadIntoDatabase}. */
export type DatabaseError = ConfigurationError | BackupError | StorageUnavailable

/** Records a backup in the audit log. A database that cannot be written can be backed up: a failure is logged. */
const recordRead = (
  adapter: RecordsAdapter["Service"],
  {
    record,
    organization
  }: { readonly record?: BackupOperation | undefined; readonly organization?: OrganizationId | undefined }
): Effect.Effect<void> =>
  record === undefined
    ? Effect.void
    : Effect.catch(recordBackup(adapter, record, organization), (error) =>
        Effect.logWarning("Cannot record the backup in the audit log.", error)
      )

/**
 * Reads a database, in one transaction in which `use` runs. An older schema is not migrated. Fails with `ConfigurationError` if
 * the database has no tables, or if an organization is read from an older schema.
 */
export const readDatabase = <A, E, R>(
  database: Database,
  options: {
    readonly organization?: OrganizationId | undefined
    readonly secret: Redacted.Redacted<string> | undefined
    /** The operation to record in the audit log after the data was read; none for a dry run. */
    readonly record?: BackupOperation | undefined
  },
  use: (source: BackupSource) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | DatabaseError, Exclude<R, RecordsAdapter>> =>
  Effect.gen(function* () {
    const { version: schema } = yield* readMigrationStatus(database)
    if (schema === 0) {
      return yield* new ConfigurationError({
        message: `The database ${displayDatabase(database)} has no tables of Lectern.`
      })
    }
    if (options.organization !== undefined && schema !== latestSchema) {
      return yield* new ConfigurationError({
        message: `The database ${displayDatabase(database)} has the schema ${schema}. Run \`lectern migrate\` first: an organization is read from the schema ${latestSchema} only.`
      })
    }
    return yield* Effect.flatMap(RecordsAdapter, (adapter) =>
      Effect.tap(
        readStore(
          adapter,
          {
            schema,
            tables: tablesOfStore(schema),
            organization: options.organization,
            ...(options.secret === undefined ? {} : { secretFingerprint: secretFingerprint(options.secret) })
          },
          use
        ),
        () => (schema === latestSchema ? recordRead(adapter, options) : Effect.void)
      )
    ).pipe(Effect.provide(storageOfSchema(database, schema)))
  }) as Effect.Effect<A, E | DatabaseError, Exclude<R, RecordsAdapter>>

const wrongSecret = new BackupError({
  reason: "WrongSecret",
  message:
    "The secret differs from that of the workspace that the backup was taken of. Set LECTERN_SECRET or LECTERN_SECRET_FILE to its secret. With --accept-secret, secrets of integrations and webhooks cannot be decrypted, and signed URLs of files become invalid."
})

/** Fails if a workspace is restored without its secret. */
const requireSecretOfWorkspace = (
  expected: BackupSecret | null,
  secret: Redacted.Redacted<string> | undefined
): Effect.Effect<void, BackupError> => {
  const isSame =
    expected === null ||
    // A stored secret is among the rows of the backup. A setting would replace it.
    (secret === undefined ? expected.isStored : secretFingerprint(secret) === expected.fingerprint)
  return isSame ? Effect.void : Effect.fail(wrongSecret)
}

/** Fails if the workspace that an organization is loaded into has another secret. */
const requireSecretOfTarget = (
  adapter: RecordsAdapter["Service"],
  expected: BackupSecret | null,
  secret: Redacted.Redacted<string> | undefined
) =>
  Effect.gen(function* () {
    const actual =
      secret === undefined ? (yield* findStoredSecret(adapter))?.fingerprint : secretFingerprint(secret)
    if (expected !== null && actual !== expected.fingerprint) return yield* wrongSecret
  }).pipe(Effect.catchTag("StorageConflict", Effect.die))

/** Takes the place of a new database in a dry run. */
const inMemory: Database = {
  _tag: "Sqlite",
  filename: ":memory:",
  prefix: undefined,
  integrityCheck: undefined
}

/** Where and how a backup is loaded. */
export interface LoadTarget {
  readonly database: Database
  readonly secret: Redacted.Redacted<string> | undefined
  /** Whether the secret may differ. */
  readonly acceptSecret: boolean
  readonly isDryRun: boolean
  readonly onProgress: OnBackupProgress
}

/**
 * Loads a backup into a database. The secret is verified before the database is opened. A workspace of an
 * older schema is loaded with this schema, and then migrated. A dry run creates nothing.
 */
export const loadIntoDatabase = (
  source: BackupSource,
  { database, secret, acceptSecret, isDryRun, onProgress }: LoadTarget
): Effect.Effect<LoadedBackup, DatabaseError> =>
  Effect.gen(function* () {
    const { version } = yield* readMigrationStatus(database)
    if (version !== 0 && version !== source.schema) {
      return yield* new BackupError({
        reason: "SchemaMismatch",
        message: `The database ${displayDatabase(database)} has the schema ${version}, and the backup ${source.schema}. ${source.organization === undefined ? "Restore into a database without tables." : "Run `lectern migrate` first."}`
      })
    }
    const isWorkspace = source.organization === undefined
    if (isWorkspace && !acceptSecret) yield* requireSecretOfWorkspace(source.secret, secret)
    const loaded = yield* Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      if (!isWorkspace && !acceptSecret) yield* requireSecretOfTarget(adapter, source.secret, secret)
      return yield* loadBackup(adapter, source, { isDryRun, onProgress })
    }).pipe(Effect.provide(storageOfSchema(isDryRun && version === 0 ? inMemory : database, source.schema)))
    if (!isDryRun) yield* Effect.provide(Effect.void, storageOfSchema(database, latestSchema))
    return loaded
  })
