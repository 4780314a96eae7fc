/** The flags and the output that the commands of backups share. */
import type {
  BackupError,
  BackupProgress,
  BackupSource,
  LoadedBackup,
  OnBackupProgress,
  SourceError
} from "@lectern/core"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import type { Manifest } from "../backup/manifest.ts"
import { jsonFlag, printResult } from "./output.ts"

/** The flags of the commands that write to a database. */
export const loadFlags = {
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Verify everything, and write nothing"),
    Flag.withDefault(false)
  ),
  json: jsonFlag,
  acceptSecret: Flag.Boolean("accept-secret").pipe(
    Flag.withDescription("Continue although the secret differs from that of the workspace of the backup"),
    Flag.withDefault(false)
  )
}

/** The flag of the commands that only read a workspace. */
export const acceptUnreadableFlag: Flag.Flag<boolean> = Flag.Boolean("accept-secret").pipe(
  Flag.withDescription("Continue although the configured secrets do not decrypt the values of the workspace"),
  Flag.withDefault(false)
)

/** The interval of lines of progress, in milliseconds. */
const intervalMs = 1_000

/** Creates a function that writes progress to standard error: at most one line per second. */
export const makeProgressReporter = (): OnBackupProgress => {
  let reportedAt = performance.now()
  return ({ what, count }: BackupProgress) =>
    Effect.sync(() => {
      const now = performance.now()
      if (now - reportedAt < intervalMs) return
      reportedAt = now
      process.stderr.write(`${what}: ${count}\n`)
    })
}

/** Reads and verifies everything, and returns the counts. */
export const verifySource = Effect.fnUntraced(function* (
  source: BackupSource,
  onProgress: OnBackupProgress
): Effect.fn.Return<{ readonly rows: number; readonly blobs: number }, SourceError | BackupError> {
  let rows = 0
  let blobs = 0
  yield* source.eachBlobs(Effect.succeed, (some) =>
    Effect.suspend(() => {
      blobs += some.length
      return onProgress({ what: "blobs", count: blobs })
    })
  )
  for (const table of source.tables) {
    yield* source.eachRows(table, (some) =>
      Effect.suspend(() => {
        rows += some.length
        return onProgress({ what: table.name, count: rows })
      })
    )
  }
  return { rows, blobs }
})

/** Returns the number of rows of a backup. */
export const countRows = ({ tables }: Manifest): number =>
  tables.reduce((sum, { rows }) => sum + rows.count, 0)

/** A backup that was written. */
interface WrittenBackup {
  readonly id: string
  readonly manifest: Manifest
  readonly newBlobs: number
}

/** Converts a written backup to JSON. */
export const writtenJson = (folder: string, { id, manifest, newBlobs }: WrittenBackup) => ({
  id,
  folder,
  rows: countRows(manifest),
  blobs: manifest.blobs.count,
  newBlobs
})

/** Formats the result of a backup. */
export const formatWritten = (folder: string, { id, manifest, newBlobs }: WrittenBackup): string =>
  `Wrote the backup ${id} to ${folder}: ${countRows(manifest)} rows and ${manifest.blobs.count} blobs, of which ${newBlobs} are new in the folder.`

/** Prints the result of a command that writes to a database. */
export const printLoaded = (
  isJson: boolean,
  what: string,
  target: string,
  loaded: LoadedBackup,
  isDryRun: boolean
): Effect.Effect<void> => {
  const { rows, blobs, newBlobs, omitted } = loaded
  const text = isDryRun
    ? `Verified ${what}: ${rows} rows and ${blobs} blobs. Nothing was written to ${target}.`
    : `Loaded ${what} into ${target}: ${rows} rows and ${blobs} blobs, of which ${newBlobs} were new.`
  return printResult(isJson, { isDryRun, rows, blobs, newBlobs, omitted }, [...omitted, text].join("\n"))
}
