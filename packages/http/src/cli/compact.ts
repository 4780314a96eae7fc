/** `lectern compact`: deletes unreachable content, and returns its space to the file system. */
import { Content, OnSweepProgress, type SweepProgress } from "@lectern/core"
import { rewriteFile } from "@lectern/storage-sqlite"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError } from "../settings/Setting.ts"
import { makeProgressReporter } from "./backupOutput.ts"
import { jsonFlag, printResult } from "./output.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"

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
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({ vacuum, json, ...flags }) {
    const { database, workspace, logging } = yield* readEnvironment(flags)
    if (vacuum && database._tag === "Postgres") {
      return yield* new ConfigurationError({
        message: `--vacuum applies to SQLite only, and the database is ${displayDatabase(database)}. Run VACUUM FULL in PostgreSQL instead.`
      })
    }
    const report = makeProgressReporter()
    const removed = yield* Effect.flatMap(Content, ({ sweep }) => sweep).pipe(
      Effect.provideService(OnSweepProgress, ({ phase, examined }: SweepProgress) =>
        report({ what: phaseNames[phase], count: examined })
      ),
      Effect.provide(workspace),
      Effect.provide(logging)
    )
    const deleted = `Deleted ${removed} unreachable blobs.`
    if (!vacuum || database._tag === "Postgres")
      return yield* printResult(json, { deletedBlobs: removed }, deleted)
    if (!json) yield* printResult(false, undefined, deleted)
    const { before, after } = yield* rewriteFile(database.filename).pipe(
      Effect.catchTag("StorageUnavailable", ({ detail }) =>
        Effect.fail(new ConfigurationError({ message: detail }))
      )
    )
    yield* printResult(
      json,
      { deletedBlobs: removed, bytesBefore: before, bytesAfter: after },
      `Rewrote ${displayDatabase(database)}: ${before} bytes before, ${after} bytes now.`
    )
  })
).pipe(
  Command.withShortDescription("Delete unreachable content, and rewrite a SQLite file without free space."),
  Command.withDescription(
    "Delete the page bodies, files and nodes that no revision reaches, as the server does once a day, and print the progress. Content that was stored within a day remains. It is safe while the server runs. With --vacuum, the file of a SQLite database becomes smaller; otherwise later writes use its free space."
  )
)
