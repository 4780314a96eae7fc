/** Loads a backup of a folder into the database of the command: a workspace, or one organization. */
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { openBackupFolder } from "../backup/BackupFolder.ts"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError } from "../settings/Setting.ts"
import { loadFlags, makeProgressReporter, printLoaded } from "./backupOutput.ts"
import { readEnvironment, type WorkspaceFlags, workspaceFlags } from "./settings.ts"
import { configuredSecrets, loadIntoDatabase } from "./stores.ts"

/** The scope of a backup. Each is loaded by its own command: one requires an empty database, the other adds to it. */
type BackupScope = "workspace" | "organization"

const commandOf = { workspace: "lectern restore", organization: "lectern import" } as const
const contentOf = { workspace: "a whole workspace", organization: "one organization" } as const

/** The flags of the commands that load a backup. */
export const loadBackupFlags = {
  from: Flag.String("from").pipe(Flag.withDescription("The folder of the backups")),
  backup: Flag.String("backup").pipe(
    Flag.withDescription("The backup, as `lectern backup list` prints it; the newest by default"),
    Flag.optional
  ),
  ...loadFlags,
  ...workspaceFlags
}

/** Loads a backup of the scope. Fails with `ConfigurationError` if the backup has the other one. */
export const loadFromFolder = (scope: BackupScope) =>
  Effect.fnUntraced(function* ({
    from,
    backup,
    dryRun,
    acceptSecret,
    json,
    ...flags
  }: WorkspaceFlags & {
    readonly from: string
    readonly backup: Option.Option<string>
    readonly dryRun: boolean
    readonly acceptSecret: boolean
    readonly json: boolean
  }) {
    const { database, logging } = yield* readEnvironment(flags)
    const secrets = yield* configuredSecrets
    const { id, source } = yield* openBackupFolder(from).open(Option.getOrUndefined(backup))
    const actual: BackupScope = source.organization === undefined ? "workspace" : "organization"
    if (actual !== scope) {
      return yield* new ConfigurationError({
        message: `The backup ${id} contains ${contentOf[actual]}, which \`${commandOf[actual]}\` loads.`
      })
    }
    const target = { database, secrets, acceptSecret, isDryRun: dryRun, onProgress: makeProgressReporter() }
    const loaded = yield* Effect.provide(loadIntoDatabase(source, target), logging)
    yield* printLoaded(json, `the backup ${id}`, displayDatabase(database), loaded, dryRun)
  })
