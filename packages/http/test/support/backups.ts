/** Stores that backups are read from and loaded into, and the ways from one to another. */
import {
  type BackupSource,
  blobs,
  type LoadedBackup,
  loadBackup,
  type OrganizationId,
  outboxEvents,
  RecordsAdapter,
  readStore,
  type Table,
  tables
} from "@lectern/core"
import { StoreContents } from "@lectern/harness"
import { Effect, Layer, ManagedRuntime } from "effect"

import { openBackupFolder } from "../../../lectern/src/backup/BackupFolder.ts"
import { latestSchema } from "../../../lectern/src/backup/backupTables.ts"
import { memory, stores, temporaryFolder } from "../stores.ts"

/** Every kind of store, by name. */
export const everyStore = [memory, ...stores]

/** An open store. */
export interface OpenStore {
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  readonly adapter: RecordsAdapter["Service"]
  readonly close: () => Promise<void>
}

/** Opens a store. */
export const openStore = async (storage: Layer.Layer<RecordsAdapter, unknown>): Promise<OpenStore> => {
  const runtime = ManagedRuntime.make(storage)
  return {
    layer: Layer.effectContext(runtime.contextEffect),
    adapter: await runtime.runPromise(RecordsAdapter),
    close: () => runtime.dispose()
  }
}

/** Reads a store. */
export const readFrom = <A, E>(
  { adapter }: OpenStore,
  use: (source: BackupSource) => Effect.Effect<A, E>,
  organization?: OrganizationId
): Promise<A> => Effect.runPromise(readStore(adapter, { schema: latestSchema, tables, organization }, use))

/** A way from a store to another one. */
export type Transfer = (
  from: OpenStore,
  to: OpenStore,
  organization?: OrganizationId
) => Promise<LoadedBackup>

/** Copies a store. */
export const copyStore: Transfer = (from, to, organization) =>
  readFrom(from, (source) => loadBackup(to.adapter, source), organization)

/** Writes a backup of a store to a folder. */
export const backUp = (from: OpenStore, folder: string, organization?: OrganizationId) =>
  readFrom(from, (source) => openBackupFolder(folder).write(source, "test"), organization)

/** Loads the newest backup of a folder. */
export const restoreFrom = (folder: string, to: OpenStore): Promise<LoadedBackup> =>
  Effect.runPromise(
    Effect.flatMap(openBackupFolder(folder).open(), ({ source }) => loadBackup(to.adapter, source))
  )

/** Copies a store by a backup in a folder. */
export const copyByBackup: Transfer = async (from, to, organization) => {
  const folder = temporaryFolder()
  await backUp(from, folder, organization)
  return restoreFrom(folder, to)
}

const withoutColumns = (table: Table.AnyTable, columns: ReadonlyArray<string>): Table.AnyTable => ({
  ...table,
  columns: Object.fromEntries(Object.entries(table.columns).filter(([name]) => !columns.includes(name)))
})

/**
 * All tables, without the positions in the outbox that a store generates, and without the times of use of blobs and their
 * encoding. The doctor verifies that the decoded bytes have the hash.
 */
const comparedTables = tables.map((table) =>
  table.name === blobs.name
    ? withoutColumns(table, ["bytes", "encoding", "base", "usedAt"])
    : table.name === outboxEvents.name
      ? withoutColumns(table, ["position"])
      : table
)

/** Reads everything that a backup retains. */
export const contentsOf = ({ layer }: OpenStore): Promise<StoreContents.StoreContents> =>
  Effect.runPromise(Effect.provide(StoreContents.readContents(comparedTables), layer))
