/** Reads a backup from a store: every row, or the rows of one organization, of one committed state. */

import {
  BackupError,
  type BackupSource,
  type BlobBytes,
  type BlobHash,
  blobs,
  eachRowsWhere,
  findStoredSecret,
  hashOf,
  type ReadError,
  type RecordsAdapter,
  readStoredBlobs,
  type StorageUnavailable,
  secrets,
  type Table
} from "@lectern/kernel"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { findOrganizationScope } from "./organizationScope.ts"

type Adapter = RecordsAdapter["Service"]

/** The number of hashes per batch. */
const hashesPerBatch = 500

/** The number of bytes of blobs per query that is aimed at: the number of blobs per query is adapted to it. */
const bytesPerQuery = 4 * 1024 * 1024

/** Reads the bytes of blobs. Fails if the bytes of one are missing, or do not match its hash. */
const readBlobs = (
  adapter: Adapter,
  table: Table.AnyTable,
  hashes: ReadonlyArray<BlobHash>
): Effect.Effect<ReadonlyArray<BlobBytes>, ReadError | BackupError> =>
  Effect.flatMap(readStoredBlobs(adapter, table, hashes), (found) => {
    const lost = hashes.find((hash) => {
      const bytes = found.get(hash)
      return bytes === undefined || hashOf(bytes) !== hash
    })
    return lost === undefined
      ? Effect.succeed(hashes.map((hash) => ({ hash, bytes: found.get(hash)! })))
      : Effect.fail(
          new BackupError({
            reason: "Corrupt",
            message: `The bytes of the blob ${lost} are missing or corrupt. Run \`lectern doctor\` on the source.`
          })
        )
  })

/** Options of {@link readStore}. */
export interface ReadStoreOptions {
  /** The version of the schema of the store. */
  readonly schema: number
  /** The tables of the store, each after the tables that it references. */
  readonly tables: ReadonlyArray<Table.AnyTable>
  /** The organization to read; the whole workspace by default. The store must have the latest schema then. */
  readonly organization?: OrganizationId | undefined
  /** The fingerprint of the secret that the server is configured with; undefined if it uses the stored one. */
  readonly secretFingerprint?: string | undefined
}

/**
 * Reads a store in one transaction, in which `use` runs: it reads one committed state. Writers continue during it, if
 * the store has `readTransaction`.
 */
export const readStore = <A, E, R>(
  adapter: Adapter,
  { schema, tables, organization, secretFingerprint }: ReadStoreOptions,
  use: (source: BackupSource) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | BackupError | StorageUnavailable, R> => {
  const read = Effect.gen(function* () {
    const hasTable = (table: Table.AnyTable) => tables.some(({ name }) => name === table.name)
    const blobTable = tables.find(({ name }) => name === blobs.name) ?? blobs
    const all = tables.filter(({ name }) => name !== blobs.name)
    const scope =
      organization === undefined ? undefined : yield* findOrganizationScope(adapter, all, organization)
    const eachHashes: BackupSource["eachHashes"] = Effect.fnUntraced(function* (use) {
      // The first schema had no content.
      if (!hasTable(blobs)) return
      if (scope === undefined) {
        return yield* eachRowsWhere(
          adapter,
          blobs,
          { op: "all" },
          (rows) => use(rows.map(({ hash }) => hash as BlobHash)),
          ["hash"]
        )
      }
      for (let at = 0; at < scope.hashes.length; at += hashesPerBatch) {
        yield* use(scope.hashes.slice(at, at + hashesPerBatch))
      }
    })
    const source: BackupSource = {
      schema,
      organization,
      secret:
        secretFingerprint === undefined
          ? // The first schema had no secrets.
            hasTable(secrets)
            ? yield* findStoredSecret(adapter)
            : null
          : { fingerprint: secretFingerprint, isStored: false },
      tables: scope?.tables ?? all,
      eachRows: (table, use) =>
        scope === undefined ? eachRowsWhere(adapter, table, { op: "all" }, use) : scope.eachRows(table, use),
      eachHashes,
      eachBlobs: Effect.fnUntraced(function* (select, use) {
        let perQuery = 64
        yield* eachHashes(
          Effect.fnUntraced(function* (hashes) {
            const wanted = yield* select(hashes)
            for (let at = 0; at < wanted.length; ) {
              const found = yield* readBlobs(adapter, blobTable, wanted.slice(at, at + perQuery))
              at += found.length
              yield* use(found)
              const size = found.reduce((sum, { bytes }) => sum + bytes.length, 0)
              perQuery = Math.min(
                Math.max(Math.floor((perQuery * bytesPerQuery) / (size + 1)), 1),
                2 * perQuery,
                500
              )
              yield* Effect.yieldNow
            }
          })
        )
      })
    }
    return yield* use(source)
  })
  const run = adapter.readTransaction?.(read) ?? adapter.transaction(read)
  return Effect.catchTag(
    run as Effect.Effect<A, E | BackupError | ReadError, R>,
    "StorageConflict",
    Effect.die
  ) as Effect.Effect<A, E | BackupError | StorageUnavailable, R>
}
