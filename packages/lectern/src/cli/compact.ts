/** `lectern compact`: deletes unreachable content, compresses old content, and returns its space to the file system. */
import {
  BlobCompression,
  Content,
  OnReencodeProgress,
  OnSweepProgress,
  type ReencodedBlobs,
  RevisionRetention,
  type SweepProgress
} from "@lectern/core"
import { rewriteFile } from "@lectern/storage-sqlite"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { revisionRetentionDays } from "../settings/RetentionSettings.ts"
import { ConfigurationError, readRequiredSetting, readSetting, settingFlag } from "../settings/Setting.ts"
import { blobCompression } from "../settings/StorageSettings.ts"
import { makeProgressReporter } from "./backupOutput.ts"
import { jsonFlag, printResult, requireConfirmation, yesFlag } from "./output.ts"
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
    yes: yesFlag,
    blobCompression: settingFlag(blobCompression),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* ({
    vacuum,
    revisionRetentionDays: retentionFlag,
    blobCompression: compressionFlag,
    yes,
    json,
    ...flags
  }) {
    const retentionDays = yield* readSetting(revisionRetentionDays, retentionFlag)
    const compression = yield* readRequiredSetting(blobCompression, compressionFlag)
    const { database, workspace, logging } = yield* readEnvironment(flags)
    if (vacuum && database._tag === "Postgres") {
      return yield* new ConfigurationError({
        message: `--vacuum applies to SQLite only, and the database is ${displayDatabase(database)}. Run VACUUM FULL in PostgreSQL instead.`
      })
    }
    // The variable applies to the server too, which removes the same revisions.
    if (Option.isSome(retentionFlag)) {
      yield* requireConfirmation({
        isConfirmed: yes,
        isJson: json,
        effect: `Revisions that are older than ${retentionDays} days are removed permanently.`
      })
    }
    const report = makeProgressReporter()
    const { revisions, removed, reencoded } = yield* Effect.gen(function* () {
      const { countSpaces, expireRevisions, reencodeBlobs, sweep } = yield* Content
      const done = {
        revisions: yield* expireRevisions,
        removed: yield* sweep,
        reencoded: yield* reencodeBlobs
      }
      yield* countSpaces
      return done
    }).pipe(
      Effect.provideService(OnSweepProgress, ({ phase, examined }: SweepProgress) =>
        report({ what: phaseNames[phase], count: examined })
      ),
      Effect.provideService(OnReencodeProgress, ({ examined }: ReencodedBlobs) =>
        report({ what: "compared blobs", count: examined })
      ),
      Effect.provide(workspace),
      Effect.provideService(BlobCompression, compression === "on"),
      Effect.provideService(
        RevisionRetention,
        retentionDays === undefined ? undefined : retentionDays * millisPerDay
      ),
      Effect.provide(logging)
    )
    const result = {
      removedRevisions: revisions,
      deletedBlobs: removed,
      reencodedBlobs: reencoded.encoded,
      savedBytes: reencoded.savedBytes
    }
    const isRewritten = vacuum && database._tag !== "Postgres"
    if (!json) {
      if (retentionDays !== undefined) {
        yield* Console.log(`Removed ${revisions} revisions that are older than ${retentionDays} days.`)
      }
      yield* Console.log(`Deleted ${removed} unreachable blobs.`)
      yield* Console.log(
        `Stored ${reencoded.encoded} blobs again, which take ${reencoded.savedBytes} bytes less.`
      )
    } else if (!isRewritten) yield* printResult(true, result, "")
    if (!isRewritten) return
    const { before, after } = yield* rewriteFile(database.filename).pipe(
      Effect.catchTag("StorageUnavailable", ({ detail }) =>
        Effect.fail(new ConfigurationError({ message: detail }))
      )
    )
    yield* printResult(
      json,
      { ...result, bytesBefore: before, bytesAfter: after },
      `Rewrote ${displayDatabase(database)}: ${before} bytes before, ${after} bytes now.`
    )
  })
).pipe(
  Command.withShortDescription(
    "Delete unreachable content, compress old content, and rewrite a SQLite file without free space."
  ),
  Command.withDescription(
    "Remove the revisions that are older than --revision-retention-days, if it is set, and delete the page bodies, files and nodes that no revision reaches, as the server does once a day. Then store page bodies and nodes again that were stored before compression or restored from a backup: old versions as the difference from an earlier one, unless --blob-compression is off. Print the progress. If the command is interrupted, repeat it: it continues. Content that was stored within a day remains. It is safe while the server runs. With --vacuum, the file of a SQLite database becomes smaller; otherwise later writes use its free space."
  ),
  Command.withExamples([
    {
      command: "lectern compact --vacuum",
      description: "Delete unreachable content, and make the SQLite file smaller"
    },
    {
      command: "lectern compact --revision-retention-days 365 --yes",
      description: "Also remove the revisions that are older than a year"
    }
  ])
)
