/** `lectern compact`: deletes unreachable content, and returns its space to the file system. */
import { Content, OnSweepProgress, RevisionRetention, type SweepProgress } from "@lectern/core"
import { rewriteFile } from "@lectern/storage-sqlite"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { revisionRetentionDays } from "../settings/RetentionSettings.ts"
import { ConfigurationError, readSetting, settingFlag } from "../settings/Setting.ts"
import { makeProgressReporter } from "./backupOutput.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"

const millisPerDay = 24 * 60 * 60 * 1000

const phaseNames = { mark: "visited nodes", sweep: "examined blobs" } as const

export const compact = Command.make(
  "compact",
  {
    vacuum: Flag.Boolean("vacuum").pipe(
      Flag.withDescription(
        "SQLite only: then rewrite the file without free space. Writers wait, and the disk needs as much free space as the file has"
      ),
      Flag.withDefault(false)
    ),
    revisionRetentionDays: settingFlag(revisionRetentionDays),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ vacuum, revisionRetentionDays: retentionFlag, ...flags }) {
    const retentionDays = yield* readSetting(revisionRetentionDays, retentionFlag)
    const { database, workspace, logging } = yield* readEnvironment(flags)
    if (vacuum && database._tag === "Postgres") {
      return yield* new ConfigurationError({
        message: `--vacuum applies to SQLite only, and the database is ${displayDatabase(database)}. Run VACUUM FULL in PostgreSQL instead.`
      })
    }
    const report = makeProgressReporter()
    const { revisions, removed } = yield* Effect.gen(function* () {
      const { expireRevisions, sweep } = yield* Content
      return { revisions: yield* expireRevisions, removed: yield* sweep }
    }).pipe(
      Effect.provideService(OnSweepProgress, ({ phase, examined }: SweepProgress) =>
        report({ what: phaseNames[phase], count: examined })
      ),
      Effect.provide(workspace),
      Effect.provideService(
        RevisionRetention,
        retentionDays === undefined ? undefined : retentionDays * millisPerDay
      ),
      Effect.provide(logging)
    )
    if (retentionDays !== undefined) {
      yield* Console.log(`Removed ${revisions} revisions that are older than ${retentionDays} days.`)
    }
    yield* Console.log(`Deleted ${removed} unreachable blobs.`)
    if (!vacuum || database._tag === "Postgres") return
    const { before, after } = yield* rewriteFile(database.filename).pipe(
      Effect.catchTag("StorageUnavailable", ({ detail }) =>
        Effect.fail(new ConfigurationError({ message: detail }))
      )
    )
    yield* Console.log(`Rewrote ${displayDatabase(database)}: ${before} bytes before, ${after} bytes now.`)
  })
).pipe(
  Command.withShortDescription("Delete unreachable content, and rewrite a SQLite file without free space."),
  Command.withDescription(
    "Remove the revisions that are older than --revision-retention-days, if it is set, and delete the page bodies, files and nodes that no revision reaches, as the server does once a day. Print the progress. Content that was stored within a day remains. It is safe while the server runs. With --vacuum, the file of a SQLite database becomes smaller; otherwise later writes use its free space."
  )
)
