/** `lectern backup` and `lectern restore`: backups of a workspace in a folder. */
import { Console, Effect, FileSystem, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { openBackupFolder } from "../backup/BackupFolder.ts"
import { ConfigurationError } from "../settings/Setting.ts"
import {
  acceptUnreadableFlag,
  countRows,
  formatWritten,
  makeProgressReporter,
  verifySource,
  writtenJson
} from "./backupOutput.ts"
import { loadBackupFlags, loadFromFolder } from "./loadBackup.ts"
import { jsonFlag, printResult } from "./output.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"
import { configuredSecrets, readDatabase } from "./stores.ts"
import { version } from "./version.ts"

const list = Command.make(
  "list",
  { from: Flag.String("from").pipe(Flag.withDescription("The folder of the backups")), json: jsonFlag },
  Effect.fnUntraced(function* ({ from, json }) {
    const files = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(files.exists(from), () => true))) {
      return yield* new ConfigurationError({ message: `The folder ${from} does not exist.` })
    }
    const backups = (yield* openBackupFolder(from).list).map(({ id, manifest }) => ({
      id,
      organization: manifest.organization,
      schema: manifest.schema,
      rows: countRows(manifest),
      blobs: manifest.blobs.count
    }))
    const lines = backups.map(({ id, organization, schema, rows, blobs }) => {
      const scope = organization === null ? "workspace" : `organization ${organization}`
      return `${id}  ${scope}  schema ${schema}  ${rows} rows, ${blobs} blobs`
    })
    yield* printResult(json, backups, lines.length === 0 ? "No backups." : lines.join("\n"))
  })
).pipe(
  Command.withDescription("List the complete backups in a folder, oldest first."),
  Command.withExamples([
    { command: "lectern backup list --from ./backups", description: "List the backups of a folder" }
  ])
)

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
    json: jsonFlag,
    acceptSecret: acceptUnreadableFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ to, keep, dryRun, json, acceptSecret, ...flags }) {
    if (Option.isNone(to)) return yield* new ConfigurationError({ message: "--to must be set." })
    const folder = to.value
    const keepCount = Option.getOrUndefined(keep)
    if (keepCount !== undefined && keepCount < 1) {
      return yield* new ConfigurationError({ message: "--keep must be at least 1." })
    }
    const { database, logging } = yield* readEnvironment(flags)
    const secrets = yield* configuredSecrets
    const backups = openBackupFolder(folder)
    if (dryRun) {
      const { rows, blobs } = yield* readDatabase(database, { secrets, acceptSecret }, (source) =>
        verifySource(source, makeProgressReporter())
      ).pipe(Effect.provide(logging))
      const text = `The backup would have ${rows} rows and ${blobs} blobs.`
      return yield* printResult(json, { isDryRun: true, rows, blobs }, text)
    }
    const written = yield* readDatabase(
      database,
      { secrets, acceptSecret, record: "Backups.create" },
      (source) => backups.write(source, version, makeProgressReporter())
    ).pipe(Effect.provide(logging))
    if (!json) yield* Console.log(formatWritten(folder, written))
    const deleted = keepCount === undefined ? [] : yield* backups.prune(keepCount)
    if (json) yield* printResult(true, { ...writtenJson(folder, written), deleted }, "")
    else for (const id of deleted) yield* Console.log(`Deleted the backup ${id}.`)
  })
).pipe(
  Command.withShortDescription("Back up the workspace to a folder, while the server runs."),
  Command.withDescription(
    "Add a backup of the workspace to a folder: of one committed state, while the server runs. It contains the digests of all rows and bytes, and everything that the database contains, including secrets. Later backups add only new content. After an interruption, repeat it: it continues with the content that is missing."
  ),
  Command.withExamples([
    {
      command: "lectern backup --to ./backups --keep 7",
      description: "Add a backup, and retain the newest seven"
    },
    {
      command: "lectern backup --to ./backups --dry-run",
      description: "Read and verify everything without writing a backup"
    }
  ]),
  Command.withSubcommands([list])
)

export const restore = Command.make("restore", loadBackupFlags, loadFromFolder("workspace")).pipe(
  Command.withShortDescription("Restore a backup into an empty database."),
  Command.withDescription(
    "Restore a backup of any released schema into the database of --database-url, which must have no rows, and migrate it. The rows become visible together, after they were compared with the backup. After an interruption, repeat it: it continues with the content that is missing. With --dry-run, it verifies the whole backup and the database."
  ),
  Command.withExamples([
    {
      command: "lectern restore --from ./backups --database-url sqlite:restored.db",
      description: "Restore the newest backup into a new file"
    },
    {
      command: "lectern restore --from ./backups --database-url postgres://user:password@localhost/lectern",
      description: "Restore it into PostgreSQL"
    }
  ])
)
