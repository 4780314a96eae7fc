/**
 * Loads a backup into a store. Blobs are stored first, each once, so that a repetition continues where an attempt ended.
 * All other rows are one transaction, which is committed after its rows were compared with the backup. Until then, the store
 * has only blobs that no row refers to.
 */

import {
  BackupError,
  type BackupSource,
  type BlobBytes,
  type BlobHash,
  blobs,
  chunkedBlobs,
  eachRowsWhere,
  encodeBlob,
  encodeRow,
  firstEncodedSchema,
  hashOf,
  makeLinesHash,
  type OnBackupProgress,
  type PlainRow,
  plainBlobs,
  type ReadError,
  type RecordsAdapter,
  renewalMillis,
  type StorageUnavailable,
  type Table,
  tenantSourceOf,
  timeOfUse,
  toTimestamp,
  type WriteError
} from "@lectern/kernel"
import { integrations, lockKinds, users } from "@lectern/kernel/tables"
import { Clock, Effect } from "effect"
import { findClashes, sharedTables } from "./findClashes.ts"
import { withImportEvents } from "./importEvents.ts"

type Adapter = RecordsAdapter["Service"]

/** The maximum size of the blobs of one statement, in bytes. */
const bytesPerStatement = 4 * 1024 * 1024

/** The result of {@link loadBackup}. */
export interface LoadedBackup {
  /** The number of rows, without blobs. */
  readonly rows: number
  /** The number of blobs. */
  readonly blobs: number
  /** The number of blobs that were not in the target before. */
  readonly newBlobs: number
  /** Rows that were omitted, because they refer to rows that neither the backup nor the target has, one sentence each. */
  readonly omitted: ReadonlyArray<string>
}

/** Options of {@link loadBackup}. */
export interface LoadOptions {
  /** Whether to read everything and to check the target, and to write nothing. False by default. */
  readonly isDryRun?: boolean
  /** Receives progress. */
  readonly onProgress?: OnBackupProgress
}

/** Returns the hashes that the target does not have. */
const findMissing = Effect.fnUntraced(function* (
  target: Adapter,
  hashes: ReadonlyArray<BlobHash>
): Effect.fn.Return<ReadonlyArray<BlobHash>, ReadError> {
  const rows = yield* target.find(blobs, {
    where: { op: "in", column: "hash", values: hashes },
    orderBy: [],
    direction: "asc",
    select: ["hash"]
  })
  const found = new Set(rows.map(({ hash }) => hash))
  return hashes.filter((hash) => !found.has(hash))
})

/** Stores blobs. Their time of use is that of the restore: garbage collection must not delete them before the rows exist. */
const storeBlobs = Effect.fnUntraced(function* (
  target: Adapter,
  schema: number,
  some: ReadonlyArray<BlobBytes>
): Effect.fn.Return<void, WriteError | BackupError> {
  const hasEncoding = schema >= firstEncodedSchema
  const table = hasEncoding ? blobs : plainBlobs
  const usedAt = timeOfUse(yield* Clock.currentTimeMillis)
  let batch: Array<PlainRow> = []
  let size = 0
  for (const { hash, bytes } of some) {
    if (hashOf(bytes) !== hash) {
      return yield* new BackupError({
        reason: "Corrupt",
        message: `The bytes of the blob ${hash} are corrupt.`
      })
    }
    batch.push({ hash, usedAt, ...(hasEncoding ? encodeBlob(target.compression, bytes) : { bytes }) })
    size += bytes.length
    if (size < bytesPerStatement) continue
    yield* target.insertMissing(table, batch)
    batch = []
    size = 0
  }
  if (batch.length > 0) yield* target.insertMissing(table, batch)
})

/** Updates the times of use of rows that exist, so that garbage collection does not delete them before the commit. */
const renew = Effect.fnUntraced(function* (
  target: Adapter,
  table: Table.AnyTable,
  hashes: ReadonlyArray<unknown>
): Effect.fn.Return<void, WriteError> {
  const millis = yield* Clock.currentTimeMillis
  yield* target.update(
    table,
    {
      op: "and",
      conditions: [
        { op: "in", column: "hash", values: hashes as ReadonlyArray<string> },
        { op: "lt", column: "usedAt", value: toTimestamp(millis - renewalMillis) }
      ]
    },
    { set: { usedAt: timeOfUse(millis) }, add: {} }
  )
})

/** Renews the files of several chunks that the target has already. */
const renewFiles = (target: Adapter, table: Table.AnyTable, rows: ReadonlyArray<PlainRow>) =>
  table.name === chunkedBlobs.name
    ? renew(
        target,
        table,
        rows.map(({ hash }) => hash)
      )
    : Effect.void

/** Fails unless the target has no row, except for blobs, which an earlier attempt can have stored. */
const requireEmpty = Effect.fnUntraced(function* (
  target: Adapter,
  tables: ReadonlyArray<Table.AnyTable>
): Effect.fn.Return<void, ReadError | BackupError> {
  for (const table of tables) {
    const rows = yield* target.find(table, {
      where: { op: "all" },
      orderBy: [],
      direction: "asc",
      limit: 1,
      select: table.key
    })
    if (rows.length === 0) continue
    return yield* new BackupError({
      reason: "TargetNotEmpty",
      message: `The target is not empty: it has rows in the table ${table.name}. Restore a workspace into a new database.`
    })
  }
})

/** Fails if rows of the organization exist in the target, or its unique values do. */
const requireNoClash = Effect.fnUntraced(function* (
  target: Adapter,
  source: BackupSource
): Effect.fn.Return<void, ReadError | BackupError> {
  const clashes = yield* findClashes(target, source)
  if (clashes.length === 0) return
  return yield* new BackupError({
    reason: "Clash",
    message: `The organization clashes with the target. ${clashes.join(" ")}`
  })
})

/** Inserts the rows of a table that refers to itself with one statement, so that their order does not matter. */
const refersToItself = (table: Table.AnyTable): boolean =>
  Object.values(table.references).some((reference) => reference?.table().name === table.name)

/** Omits installations of integrations that the target does not have: they belong to other organizations. */
const withoutForeignInstallations = Effect.fnUntraced(function* (
  target: Adapter,
  table: Table.AnyTable,
  rows: ReadonlyArray<PlainRow>,
  omitted: Array<string>
): Effect.fn.Return<ReadonlyArray<PlainRow>, ReadError> {
  const [column] =
    Object.entries(table.references).find(([, reference]) => reference?.table().name === integrations.name) ??
    []
  // The files of an integration belong to its organization.
  if (column === undefined || tenantSourceOf(table) !== undefined) return rows
  const named = [...new Set(rows.flatMap((row) => (row[column] as string | null) ?? []))]
  const found = yield* target.find(integrations, {
    where: { op: "in", column: "id", values: named },
    orderBy: [],
    direction: "asc",
    select: ["id"]
  })
  const ids = new Set(found.map(({ id }) => id))
  return rows.filter((row) => {
    if (row[column] === null || ids.has(row[column])) return true
    omitted.push(`The installation ${row.id} is omitted: the target does not have its integration.`)
    return false
  })
})

/** Inserts all rows, and compares the rows of a workspace with the backup. */
const insertRows = Effect.fnUntraced(function* (
  target: Adapter,
  source: BackupSource,
  onProgress: OnBackupProgress
): Effect.fn.Return<
  { readonly rows: number; readonly omitted: ReadonlyArray<string> },
  WriteError | BackupError
> {
  const omitted: Array<string> = []
  const { organization } = source
  const writer = organization === undefined ? target : withImportEvents(target, organization)
  let total = 0
  for (const table of source.tables) {
    const expected = makeLinesHash()
    let count = 0
    const isShared = table.name === users.name || sharedTables.has(table.name)
    const insert = (rows: ReadonlyArray<PlainRow>) =>
      isShared && organization !== undefined
        ? Effect.andThen(renewFiles(target, table, rows), writer.insertMissing(table, rows))
        : writer.insert(table, rows)
    const collected: Array<PlainRow> = []
    yield* source.eachRows(
      table,
      Effect.fnUntraced(function* (rows) {
        const kept =
          source.organization === undefined
            ? rows
            : yield* withoutForeignInstallations(target, table, rows, omitted)
        count += kept.length
        if (source.organization === undefined) for (const row of kept) expected.add(encodeRow(table, row))
        if (refersToItself(table)) collected.push(...kept)
        else yield* insert(kept)
      })
    )
    if (collected.length > 0) yield* insert(collected)
    if (source.organization === undefined) yield* requireSameRows(target, table, expected.result().digest)
    total += count
    yield* onProgress({ what: table.name, count })
  }
  return { rows: total, omitted }
})

const requireSameRows = Effect.fnUntraced(function* (
  target: Adapter,
  table: Table.AnyTable,
  digest: string
): Effect.fn.Return<void, ReadError | BackupError> {
  const actual = makeLinesHash()
  yield* eachRowsWhere(target, table, { op: "all" }, (rows) =>
    Effect.sync(() => {
      for (const row of rows) actual.add(encodeRow(table, row))
    })
  )
  if (actual.result().digest === digest) return
  return yield* new BackupError({
    reason: "Corrupt",
    message: `The rows of ${table.name} in the target differ from the backup.`
  })
})

/** Locks the organization, so that commands of other organizations continue while it is loaded. */
const locksOf = (source: BackupSource) =>
  source.organization === undefined
    ? []
    : [
        { mode: "exclusive" as const, kind: lockKinds.organization, id: source.organization },
        { mode: "exclusive" as const, kind: lockKinds.accounts, id: "" }
      ]

const inTransaction = <A, E>(
  target: Adapter,
  source: BackupSource,
  self: Effect.Effect<A, E>
): Effect.Effect<A, E | ReadError> =>
  target.lockedTransaction === undefined
    ? target.transaction(self)
    : target.lockedTransaction(locksOf(source), () => self)

/** Fails if a blob of the backup is not in the target. */
const requireBlobs = (target: Adapter, source: BackupSource) =>
  source.eachHashes((hashes) =>
    Effect.flatMap(findMissing(target, hashes), (missing) =>
      missing.length === 0
        ? Effect.void
        : Effect.fail(
            new BackupError({
              reason: "Corrupt",
              message: `The blob ${missing[0]} is missing. Repeat the command: it continues where it ended.`
            })
          )
    )
  )

/** Translates the errors of the store. */
const toBackupErrors = <A>(
  self: Effect.Effect<A, WriteError | BackupError>
): Effect.Effect<A, BackupError | StorageUnavailable> => {
  const failWithClash = ({ table }: { readonly table: string }) =>
    new BackupError({
      reason: "Clash",
      message: `A row of ${table} clashes with one of the target, or refers to a row that neither has.`
    })
  return Effect.catchTags(self, {
    StorageConflict: () =>
      Effect.fail(
        new BackupError({
          reason: "Clash",
          message: "Other writers changed the same rows. Repeat the command."
        })
      ),
    UniqueViolation: (error) => Effect.fail(failWithClash(error)),
    ReferenceViolation: (error) => Effect.fail(failWithClash(error))
  })
}

/**
 * Loads a backup. A workspace requires a target without rows. An organization requires that its ids and unique values, such
 * as host names, do not exist in the target; accounts that exist are retained.
 *
 * Fails with `BackupError`. Repeat it after an interruption: blobs that are stored are not read again.
 */
export const loadBackup = Effect.fnUntraced(function* (
  target: Adapter,
  source: BackupSource,
  { isDryRun = false, onProgress = () => Effect.void }: LoadOptions = {}
): Effect.fn.Return<LoadedBackup, BackupError | StorageUnavailable> {
  const check =
    source.organization === undefined ? requireEmpty(target, source.tables) : requireNoClash(target, source)
  yield* toBackupErrors(check)
  let count = 0
  let newCount = 0
  yield* toBackupErrors(
    source.eachBlobs(
      Effect.fnUntraced(function* (hashes) {
        count += hashes.length
        if (!isDryRun) yield* renew(target, blobs, hashes)
        const missing = yield* findMissing(target, hashes)
        newCount += missing.length
        return isDryRun ? hashes : missing
      }),
      Effect.fnUntraced(function* (some) {
        if (!isDryRun) yield* storeBlobs(target, source.schema, some)
        yield* onProgress({ what: blobs.name, count })
      })
    )
  )
  if (isDryRun) {
    let rows = 0
    for (const table of source.tables) {
      let inTable = 0
      yield* toBackupErrors(
        source.eachRows(table, (some) =>
          Effect.sync(() => {
            inTable += some.length
          })
        )
      )
      rows += inTable
      yield* onProgress({ what: table.name, count: inTable })
    }
    return { rows, blobs: count, newBlobs: newCount, omitted: [] }
  }
  const { rows, omitted } = yield* toBackupErrors(
    inTransaction(
      target,
      source,
      Effect.gen(function* () {
        yield* check
        yield* requireBlobs(target, source)
        return yield* insertRows(target, source, onProgress)
      })
    )
  )
  return { rows, blobs: count, newBlobs: newCount, omitted }
})
