/**
 * A folder of backups. Each backup is a folder with a manifest, and a file of rows per table. All backups share the packs of
 * their blobs. A folder can be copied, synchronized and archived with any tool.
 */
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import {
  BackupError,
  type BackupSource,
  type BlobHash,
  decodeRow,
  encodeRow,
  type LinesDigest,
  makeLinesHash,
  type OnBackupProgress,
  type OrganizationId,
  type PlainRow,
  type Table
} from "@lectern/core"
import { Clock, Effect } from "effect"
import { knownTablesOf } from "./backupTables.ts"
import { withFolderLock } from "./folderLock.ts"
import { createLineWriter, type LineWriter, readLines } from "./lineFiles.ts"
import { decodeManifest, describeBackup, type Manifest } from "./manifest.ts"
import { openPacks, syncFolder, writeDurably } from "./packs.ts"

/** A complete backup of a folder. */
export interface StoredBackup {
  /** Its name in the folder: the time at which it was taken. */
  readonly id: string
  readonly manifest: Manifest
}

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")

/** Runs a function on files. Its errors are defects of a corrupt backup, or of the file system. */
const onFiles = <A>(body: () => Promise<A>): Effect.Effect<A, BackupError> =>
  Effect.tryPromise({
    try: body,
    catch: (cause) =>
      cause instanceof BackupError
        ? cause
        : new BackupError({
            reason: isMissing(cause) ? "NotFound" : "Corrupt",
            message: cause instanceof Error ? cause.message : String(cause)
          })
  })

const corrupt = (message: string) => new BackupError({ reason: "Corrupt", message })

const fileOfTable = (name: string): string => `${name}.jsonl.zst`
const fileOfHashes = "blobs.txt.zst"
const backupName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
const manifestFile = "manifest.json"
const partialSuffix = ".partial"

/** Passes the lines of a file on. Fails at the end if they differ from the digest. */
const eachLine = <E>(
  path: string,
  digest: LinesDigest,
  use: (lines: ReadonlyArray<string>) => Effect.Effect<unknown, E>
): Effect.Effect<void, BackupError | E> =>
  Effect.gen(function* () {
    const hash = makeLinesHash()
    const iterator = readLines(path)
    const next = onFiles(async () => {
      try {
        return await iterator.next()
      } catch (cause) {
        throw isMissing(cause) ? cause : corrupt(`The file ${path} is corrupt: ${cause}`)
      }
    })
    yield* Effect.gen(function* () {
      for (let batch = yield* next; batch.done !== true; batch = yield* next) {
        for (const line of batch.value) hash.add(line)
        if (batch.value.length > 0) yield* use(batch.value)
      }
    }).pipe(Effect.ensuring(Effect.promise(() => iterator.return(undefined))))
    const { count, digest: actual } = hash.result()
    if (count === digest.count && actual === digest.digest) return
    return yield* corrupt(`The file ${path} is corrupt: its lines differ from the digest in the manifest.`)
  })

/** Writes the lines that `fill` passes to its parameter, and returns their digest. */
const writeLines = <E>(
  path: string,
  fill: (write: (lines: ReadonlyArray<string>) => Effect.Effect<void, BackupError>) => Effect.Effect<void, E>
): Effect.Effect<LinesDigest, E | BackupError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => createLineWriter(path)),
    (writer: LineWriter) =>
      Effect.andThen(
        fill((lines) => onFiles(() => writer.write(lines))),
        onFiles(() => writer.close())
      ),
    (writer) => Effect.sync(writer.abort)
  )

/** Opens a folder of backups, which is created when the first one is written. */
export const openBackupFolder = (folder: string) => {
  const packs = openPacks(join(folder, "packs"))

  const readManifest = (id: string) => {
    const path = join(folder, id, manifestFile)
    return Effect.flatMap(
      onFiles(() => readFile(path, "utf8")),
      (text) => decodeManifest(text, path)
    )
  }

  const entries = onFiles(() =>
    readdir(folder).catch((cause: unknown) => {
      if (isMissing(cause)) return []
      throw cause
    })
  )

  /** The names of the complete backups, oldest first. */
  const ids = Effect.map(entries, (names) => names.filter((name) => backupName.test(name)).sort())

  const readStored = (id: string): Effect.Effect<StoredBackup, BackupError> =>
    Effect.map(readManifest(id), (manifest) => ({ id, manifest }))

  /** Returns the complete backups, which have a manifest, oldest first. */
  const list: Effect.Effect<ReadonlyArray<StoredBackup>, BackupError> = Effect.gen(function* () {
    const found: Array<StoredBackup> = []
    for (const id of yield* ids) {
      if (existsSync(join(folder, id, manifestFile))) found.push(yield* readStored(id))
    }
    return found
  })

  /** Returns the backup with an id that the caller has entered. */
  const findStored = (id: string): Effect.Effect<StoredBackup, BackupError> =>
    backupName.test(id) && existsSync(join(folder, id, manifestFile))
      ? readStored(id)
      : Effect.fail(
          new BackupError({
            reason: "NotFound",
            message: `There is no complete backup ${id} in ${folder}. \`lectern backup list --from ${folder}\` prints its backups.`
          })
        )

  /** Returns the newest backup of a whole workspace, or undefined. Backups without a readable manifest do not count. */
  const findNewest = Effect.gen(function* () {
    for (const id of [...(yield* ids)].reverse()) {
      const found = yield* Effect.option(readStored(id))
      if (found._tag === "Some" && found.value.manifest.organization === null) return found.value
    }
    return undefined
  })

  /** Returns the hashes that packs have. */
  const packedHashes = onFiles(async () => {
    const all = new Set<BlobHash>()
    for (const name of await packs.list()) for (const hash of await packs.hashesIn(name)) all.add(hash)
    return all
  })

  const writeTables = Effect.fnUntraced(function* (
    source: BackupSource,
    target: string,
    onProgress: OnBackupProgress
  ) {
    const digests = new Map<string, LinesDigest>()
    for (const table of source.tables) {
      const digest = yield* writeLines(join(target, fileOfTable(table.name)), (write) =>
        source.eachRows(table, (rows) => write(rows.map((row) => encodeRow(table, row))))
      )
      digests.set(table.name, digest)
      yield* onProgress({ what: table.name, count: digest.count })
    }
    return digests
  })

  const writeBlobs = Effect.fnUntraced(function* (
    source: BackupSource,
    target: string,
    onProgress: OnBackupProgress
  ) {
    const packed = yield* packedHashes
    const writer = packs.createWriter()
    let count = 0
    const digest = yield* writeLines(join(target, fileOfHashes), (write) =>
      source.eachBlobs(
        (hashes) =>
          Effect.as(
            write(hashes),
            hashes.filter((hash) => !packed.has(hash))
          ),
        (blobs) =>
          Effect.andThen(
            onFiles(() => writer.add(blobs)),
            Effect.suspend(() => {
              count += blobs.length
              return onProgress({ what: "blobs", count })
            })
          )
      )
    )
    yield* onFiles(writer.close)
    return { digest, newCount: count }
  })

  /**
   * Writes a backup, and returns it with the number of blobs that it added to the folder. If it is interrupted, the packs that
   * it has written remain, so that the next backup continues after them.
   */
  const write = (source: BackupSource, writtenBy: string, onProgress: OnBackupProgress = () => Effect.void) =>
    withFolderLock(
      folder,
      Effect.gen(function* () {
        const createdAt = new Date(yield* Clock.currentTimeMillis).toISOString()
        const id = createdAt.replaceAll(/[:.]/g, "-")
        const partial = join(folder, id + partialSuffix)
        for (const name of yield* entries) {
          if (!name.endsWith(partialSuffix)) continue
          yield* onFiles(() => rm(join(folder, name), { recursive: true }))
        }
        yield* onFiles(() => mkdir(partial, { recursive: true, mode: 0o700 }))
        const blobs = yield* writeBlobs(source, partial, onProgress)
        const rows = yield* writeTables(source, partial, onProgress)
        const manifest = describeBackup(source, createdAt, writtenBy, rows, blobs.digest)
        yield* onFiles(async () => {
          await writeDurably(join(partial, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`)
          await syncFolder(partial)
          await rename(partial, join(folder, id))
          await syncFolder(folder)
        })
        return { id, manifest, newBlobs: blobs.newCount }
      })
    )

  /** Opens a backup, by default the newest. */
  const open = Effect.fnUntraced(function* (id?: string): Effect.fn.Return<OpenedBackup, BackupError> {
    const found = yield* id === undefined ? Effect.map(list, (all) => all.at(-1)) : findStored(id)
    if (found === undefined) {
      return yield* new BackupError({
        reason: "NotFound",
        message: `There is no complete backup in ${folder}.`
      })
    }
    return { ...found, source: sourceOf(found, yield* knownTablesOf(found.manifest)) }
  })

  /** Passes the hashes of the blobs of a backup on. */
  const eachHashOf =
    ({ id, manifest }: StoredBackup): BackupSource["eachHashes"] =>
    (use) =>
      eachLine(join(folder, id, fileOfHashes), manifest.blobs, (lines) =>
        use(lines as ReadonlyArray<BlobHash>)
      )

  const sourceOf = (stored: StoredBackup, tables: ReadonlyArray<Table.AnyTable>): BackupSource => {
    const { id, manifest } = stored
    const at = join(folder, id)
    const written = new Map(manifest.tables.map((table) => [table.name, table]))
    const eachHashes = eachHashOf(stored)
    return {
      schema: manifest.schema,
      organization: (manifest.organization ?? undefined) as OrganizationId | undefined,
      secret: manifest.secret,
      tables,
      eachHashes,
      eachRows: (table, use) =>
        eachLine(join(at, fileOfTable(table.name)), written.get(table.name)!.rows, (lines) =>
          Effect.flatMap(
            Effect.try({
              // The columns of the manifest are in the order of the values.
              try: () => lines.map((line): PlainRow => decodeRow(written.get(table.name)!, line)),
              catch: (cause) => corrupt(`The file ${fileOfTable(table.name)} of ${id} is corrupt: ${cause}`)
            }),
            use
          )
        ),
      eachBlobs: Effect.fnUntraced(function* (select, use) {
        const wanted = new Set<BlobHash>()
        yield* eachHashes((hashes) =>
          Effect.map(select(hashes), (selected) => {
            for (const hash of selected) wanted.add(hash)
          })
        )
        for (const name of yield* onFiles(packs.list)) {
          if (wanted.size === 0) return
          const hashes = yield* onFiles(() => packs.hashesIn(name))
          if (!hashes.some((hash) => wanted.has(hash))) continue
          const blobs = yield* onFiles(() => packs.read(name))
          const needed = blobs.filter(({ hash }) => wanted.delete(hash))
          yield* use(needed)
        }
        const [missing] = wanted
        if (missing === undefined) return
        return yield* corrupt(`No pack of ${folder} has the blob ${missing}, and ${wanted.size - 1} others.`)
      })
    }
  }

  /** Deletes the oldest backups of the same scope but `keep`, and the packs that no backup needs. Returns the ids of deleted ones. */
  const prune = (keep: number) =>
    withFolderLock(
      folder,
      Effect.gen(function* () {
        const all = yield* list
        const kept = new Map<string | null, number>()
        const removed: Array<string> = []
        const needed = new Set<BlobHash>()
        for (const backup of [...all].reverse()) {
          const { organization } = backup.manifest
          const count = (kept.get(organization) ?? 0) + 1
          kept.set(organization, count)
          if (count > keep) {
            removed.push(backup.id)
            continue
          }
          yield* eachHashOf(backup)((hashes) =>
            Effect.sync(() => {
              for (const hash of hashes) needed.add(hash)
            })
          )
        }
        if (removed.length === 0) return []
        yield* onFiles(async () => {
          // The manifest first: a backup without one does not exist.
          for (const id of removed) {
            await rename(join(folder, id), join(folder, id + partialSuffix))
            await rm(join(folder, id + partialSuffix), { recursive: true })
          }
          for (const name of await packs.list()) {
            if (!(await packs.hashesIn(name)).some((hash) => needed.has(hash))) await packs.remove(name)
          }
        })
        return removed
      })
    )

  return { list, findNewest, write, open, prune }
}

/** An opened backup. */
export interface OpenedBackup extends StoredBackup {
  readonly source: BackupSource
}
