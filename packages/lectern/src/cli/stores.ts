/** The databases that the commands of backups read and write. */
import {
  BackupError,
  type BackupOperation,
  type BackupSecret,
  type BackupSource,
  decryptsStoredValues,
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

/** The secrets that the environment configures, the current one first. None if the workspace stores its own. */
export const configuredSecrets = Effect.gen(function* () {
  const withIds = (yield* readSetting(Settings.secrets, Option.none())) ?? []
  const withoutId = yield* readSetting(Settings.secret, Option.none())
  return [...withIds.map(({ secret }) => secret), ...(withoutId === undefined ? [] : [withoutId])]
})

/** Configured secrets, the current one first. */
type ConfiguredSecrets = ReadonlyArray<Redacted.Redacted<string>>

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

const unreadableValues = new BackupError({
  reason: "WrongSecret",
  message:
    "The configured secrets do not decrypt the values that the workspace has stored. Set LECTERN_SECRET, LECTERN_SECRETS or LECTERN_SECRET_FILE as for its server. `lectern secrets status` counts the values. With --accept-secret, the values are read as they are."
})

/** Fails unless the secrets decrypt the values of a workspace, so that its backup has the right fingerprint. */
const requireSecretsOfSource = (adapter: RecordsAdapter["Service"], secrets: ConfiguredSecrets) =>
  Effect.flatMap(decryptsStoredValues(adapter, secrets), (isReadable) =>
    isReadable ? Effect.void : Effect.fail(unreadableValues)
  ).pipe(Effect.catchTag("StorageConflict", Effect.die))

/**
 * Reads a database, in one transaction in which `use` runs. An older schema is not migrated. Fails with `ConfigurationError` if
 * the database has no tables, or if an organization is read from an older schema, and with `BackupError` if the secrets do not
 * decrypt the values of the latest schema.
 */
export const readDatabase = <A, E, R>(
  database: Database,
  options: {
    readonly organization?: OrganizationId | undefined
    readonly secrets: ConfiguredSecrets
    /** Whether the secrets may not decrypt the stored values, so that the fingerprint in the backup is that of another secret. */
    readonly acceptSecret?: boolean
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
    const [current] = options.secrets
    return yield* Effect.flatMap(RecordsAdapter, (adapter) =>
      Effect.tap(
        Effect.andThen(
          options.acceptSecret === true || schema !== latestSchema
            ? Effect.void
            : requireSecretsOfSource(adapter, options.secrets),
          readStore(
            adapter,
            {
              schema,
              tables: tablesOfStore(schema),
              organization: options.organization,
              ...(current === undefined ? {} : { secretFingerprint: secretFingerprint(current) })
            },
            use
          )
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

const hasFingerprint = (secrets: ConfiguredSecrets, fingerprint: string): boolean =>
  secrets.some((secret) => secretFingerprint(secret) === fingerprint)

/** Fails if a workspace is restored without its secret. It can be a former one. */
const requireSecretOfWorkspace = (
  expected: BackupSecret | null,
  secrets: ConfiguredSecrets
): Effect.Effect<void, BackupError> => {
  const isSame =
    expected === null ||
    // A stored secret is among the rows of the backup. A setting would replace it.
    (secrets.length === 0 ? expected.isStored : hasFingerprint(secrets, expected.fingerprint))
  return isSame ? Effect.void : Effect.fail(wrongSecret)
}

/** Fails if the workspace that an organization is loaded into has another secret. */
const requireSecretOfTarget = (
  adapter: RecordsAdapter["Service"],
  expected: BackupSecret | null,
  secrets: ConfiguredSecrets
) =>
  Effect.gen(function* () {
    if (expected === null || hasFingerprint(secrets, expected.fingerprint)) return
    const stored = secrets.length === 0 ? yield* findStoredSecret(adapter) : null
    if (stored?.fingerprint !== expected.fingerprint) return yield* wrongSecret
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
  readonly secrets: ConfiguredSecrets
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
  { database, secrets, acceptSecret, isDryRun, onProgress }: LoadTarget
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
    if (isWorkspace && !acceptSecret) yield* requireSecretOfWorkspace(source.secret, secrets)
    // A database without tables is created when it is opened, and has no secret of its own.
    const isUnknown = source.secret !== null && !hasFingerprint(secrets, source.secret.fingerprint)
    if (!isWorkspace && !acceptSecret && version === 0 && isUnknown) return yield* wrongSecret
    const loaded = yield* Effect.gen(function* () {
      const adapter = yield* RecordsAdapter
      if (!isWorkspace && !acceptSecret) yield* requireSecretOfTarget(adapter, source.secret, secrets)
      return yield* loadBackup(adapter, source, { isDryRun, onProgress })
    }).pipe(Effect.provide(storageOfSchema(isDryRun && version === 0 ? inMemory : database, source.schema)))
    if (!isDryRun) yield* Effect.provide(Effect.void, storageOfSchema(database, latestSchema))
    return loaded
  })
