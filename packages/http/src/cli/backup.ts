/** `lectern backup` and `lectern restore`: backups of a workspace in a folder. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openBackupFolder } from "../backup/BackupFolder.ts"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError } from "../settings/Setting.ts"
import { formatLoaded, formatWritten, loadFlags, makeProgressReporter, verifySource } from "./backupOutput.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"
import { configuredSecret, loadIntoDatabase, readDatabase } from "./stores.ts"
import { version } from "./version.ts"

const list = Command.make(
  "list",
  { from: Flag.String("from").pipe(Flag.withDescription("The folder of the backups")) },
  Effect.fnUntraced(function* ({ from }) {
    const backups = yield* openBackupFolder(from).list
    if (backups.length === 0) yield* Console.log("No backups.")
    for (const { id, manifest } of backups) {
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows.count, 0)
      const scope = manifest.organization === null ? "workspace" : `organization ${manifest.organization}`
      yield* Console.log(
        `${id}  ${scope}  schema ${manifest.schema}  ${rows} rows, ${manifest.blobs.count} blobs`
      )
    }
  })
).pipe(Command.withDescription("List the complete backups in a folder, oldest first."))

export const backup = Command.make(
  "backup",
  {
    to: Flag.String("to").pipe(
      Flag.withDescription("The folder that the backup is added to, created if it does not exist"),
      Flag.optional
    ),
    keep: Flag.Int("keep").pipe(
      Flag.withDescription(
        "How many backups remain in the folder: older ones are deleted after this one is complete"
      ),
      Flag.optional
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Read everything and verify it, and write nothing"),
      Flag.withDefault(false)
    ),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ to, keep, dryRun, ...flags }) {
    if (Option.isNone(to)) return yield* new ConfigurationError({ message: "--to must be set." })
    const folder = to.value
    const keepCount = Option.getOrUndefined(keep)
    if (keepCount !== undefined && keepCount < 1) {
      return yield* new ConfigurationError({ message: "--keep must be at least 1." })
    }
    const { database, logging } = yield* readEnvironment(flags)
    const secret = yield* configuredSecret
    const backups = openBackupFolder(folder)
    yield* readDatabase(database, { secret, record: dryRun ? undefined : "Backups.create" }, (source) =>
      dryRun
        ? Effect.flatMap(verifySource(source, makeProgressReporter()), ({ rows, blobs }) =>
            Console.log(`The backup would have ${rows} rows and ${blobs} blobs.`)
          )
        : Effect.flatMap(backups.write(source, version, makeProgressReporter()), (written) =>
            Console.log(formatWritten(folder, written))
          )
    ).pipe(Effect.provide(logging))
    if (keepCount === undefined || dryRun) return
    for (const id of yield* backups.prune(keepCount)) yield* Console.log(`Deleted the backup ${id}.`)
  })
).pipe(
  Command.withShortDescription("Back up the workspace to a folder, while the server runs."),
  Command.withDescription(
    "Add a backup of the workspace to a folder: of one committed state, while the server runs. It contains the digests of all rows and bytes, and everything that the database contains, including secrets. Later backups add only new content. After an interruption, repeat it: it continues with the content that is missing."
  ),
  Command.withSubcommands([list])
)

export const restore = Command.make(
  "restore",
  {
    from: Flag.String("from").pipe(Flag.withDescription("The folder of the backups")),
    backup: Flag.String("backup").pipe(
      Flag.withDescription("The backup, as `lectern backup list` prints it; the newest by default"),
      Flag.optional
    ),
    ...loadFlags,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ from, backup, dryRun, acceptSecret, ...flags }) {
    const { database, logging } = yield* readEnvironment(flags)
    const secret = yield* configuredSecret
    const { id, source } = yield* openBackupFolder(from).open(Option.getOrUndefined(backup))
    if (source.organization !== undefined) {
      return yield* new ConfigurationError({
        message: `The backup ${id} contains one organization only. Use \`lectern import\`.`
      })
    }
    const loaded = yield* Effect.provide(
      loadIntoDatabase(source, {
        database,
        secret,
        acceptSecret,
        isDryRun: dryRun,
        onProgress: makeProgressReporter()
      }),
      logging
    )
    yield* Console.log(formatLoaded(`the backup ${id}`, displayDatabase(database), loaded, dryRun))
  })
).pipe(
  Command.withShortDescription("Restore a backup into an empty database."),
  Command.withDescription(
    "Restore a backup of any released schema into the database of --database-url, which must have no rows, and migrate it. The rows become visible together, after they were compared with the backup. After an interruption, repeat it: it continues with the content that is missing. With --dry-run, it verifies the whole backup and the database."
  )
)
