/**
 * Produces the archives of exports once per content, and stores them until they expire. Concurrent downloads of the same
 * content read one production. The number of productions is bounded, for each organization and in total.
 */

import { SystemGrant } from "@lectern/access"
import {
  type BusyLimit,
  type ExportFailure,
  ExportLimits,
  makeProductions,
  type Produce
} from "@lectern/content"
import {
  type BlobHash,
  Ids,
  now,
  type ReadableBytes,
  Records,
  StorageUnavailable,
  type StoredBytes,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import { type ExportArchiveRow, exportArchives } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { Clock, Context, Effect, Exit, FiberSet, Layer, Option, Semaphore, type Stream } from "effect"
import { ContentStore } from "../content/ContentStore.ts"

/** The bytes of an archive. */
export interface ExportedArchive {
  /** All bytes, while the archive is produced or from the store. */
  readonly stream: Stream.Stream<Uint8Array, StorageUnavailable>
  /** The stored bytes, with their hash. Absent while the archive is produced. */
  readonly stored?: { readonly file: ReadableBytes; readonly hash: string }
}

/** An archive for download, or the limit that rejects it. */
export type ExportDownload = ExportedArchive | { readonly busy: BusyLimit }

/** An archive to return. */
export interface RequestedArchive {
  /** The organization that owns the content, and whose limits apply. */
  readonly organization: OrganizationId
  /** Values that identify the content: archives of equal values have equal bytes. */
  readonly content: ReadonlyArray<string>
  /** Creates the bytes, which are read once. */
  readonly archive: Effect.Effect<Stream.Stream<Uint8Array, StorageUnavailable>, ExportFailure>
}

/** The version of the archives: increase it when archives of the same content change. */
const version = "1"

/** The number of expired archives that are read at a time. */
const purgeBatchSize = 100

const downloadOf = (stored: { readonly file: ReadableBytes; readonly hash: string }): ExportedArchive => ({
  stream: stored.file.read(0, stored.file.size),
  stored
})

type StoredArchive = Pick<ExportArchiveRow, "organization" | "content" | "holder" | "hash">

const storedColumns = ["organization", "content", "holder", "hash"] as const

const whereArchive = ({ organization, content }: Pick<ExportArchiveRow, "organization" | "content">) =>
  Where.and<ExportArchiveRow>(Where.eq("organization", organization), Where.eq("content", content))

const makeTurns = Effect.gen(function* () {
  const limits = yield* ExportLimits
  const permits = yield* Semaphore.make(limits.concurrent)
  const permitsOf = new Map<string, { readonly permit: Semaphore.Semaphore; users: number }>()

  /** Runs the productions of an organization one after the other, and at most `concurrent` in total. */
  const inTurn =
    (organization: string) =>
    <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const own = permitsOf.get(organization) ?? { permit: Semaphore.makeUnsafe(1), users: 0 }
          own.users++
          permitsOf.set(organization, own)
          return own
        }),
        ({ permit }) => permit.withPermit(permits.withPermit(self)),
        (own) =>
          Effect.sync(() => {
            own.users--
            if (own.users === 0) permitsOf.delete(organization)
          })
      )

  return { inTurn }
})

const makeArchiveStore = Effect.gen(function* () {
  const { transaction } = yield* Records
  const { records } = yield* SystemGrant.make("Stores the archives of exports until they expire.")
  const { files } = yield* ContentStore
  const limits = yield* ExportLimits

  /** Deletes the bytes of an archive. If it fails, garbage collection deletes them later. */
  const deleteBytes = Effect.fnUntraced(
    function* (holder: string, hash: BlobHash, chunks?: ReadonlyArray<BlobHash>) {
      yield* files.release(holder, { hash, chunks: chunks ?? (yield* files.chunksOf(hash)) }, undefined)
    },
    Effect.catchCause((cause) =>
      Effect.logWarning("The bytes of an archive are deleted by garbage collection.", cause)
    )
  )

  const removeArchive = Effect.fnUntraced(function* (archive: StoredArchive) {
    const chunks = yield* files.chunksOf(archive.hash)
    yield* transaction(
      records.remove(
        exportArchives,
        Where.and<ExportArchiveRow>(whereArchive(archive), Where.eq("holder", archive.holder))
      )
    )
    yield* deleteBytes(archive.holder, archive.hash, chunks)
  })

  /** Returns a stored archive. One without bytes, such as after a restore, is removed. */
  const find = Effect.fnUntraced(function* (
    organization: OrganizationId,
    content: string
  ): Effect.fn.Return<{ file: ReadableBytes; hash: BlobHash } | undefined, StorageUnavailable> {
    const row = yield* records.get(exportArchives, { organization, content })
    if (row === undefined) return undefined
    if (row.expiresAt > (yield* now)) {
      const file = yield* files.open(row.hash)
      if (file !== undefined) return { file, hash: row.hash }
    }
    yield* removeArchive(row)
    return undefined
  })

  /** Deletes the oldest archives of an organization beyond the limit. */
  const removeOldest = Effect.fnUntraced(function* (organization: OrganizationId) {
    const rows = yield* records.find(exportArchives, {
      select: [...storedColumns, "createdAt"],
      where: Where.eq<ExportArchiveRow, "organization">("organization", organization)
    })
    const newestFirst = [...rows].sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    yield* Effect.forEach(newestFirst.slice(limits.storedPerOrganization), removeArchive)
  })

  /** Stores the row of an archive. Returns false if another process has stored the same content. */
  const complete = Effect.fnUntraced(function* (
    archive: Omit<StoredArchive, "hash">,
    stored: StoredBytes
  ): Effect.fn.Return<boolean, StorageUnavailable> {
    const millis = yield* Clock.currentTimeMillis
    const row: ExportArchiveRow = {
      ...archive,
      hash: stored.hash,
      createdAt: toTimestamp(millis),
      expiresAt: toTimestamp(millis + limits.storedMillis)
    }
    return yield* transaction(
      Effect.gen(function* () {
        yield* files.linkTemporary(stored, archive.holder)
        return (yield* records.insertMissing(exportArchives, [row])) > 0
      })
    )
  })

  return { records, deleteBytes, removeArchive, find, removeOldest, complete }
})

const makeExportArchives = Effect.gen(function* () {
  const { isInTransaction } = yield* Records
  const { files } = yield* ContentStore
  const ids = yield* Ids
  const limits = yield* ExportLimits
  const runDetached = yield* FiberSet.makeRuntime<never>()
  const { find, complete, deleteBytes, removeOldest, records, removeArchive } = yield* makeArchiveStore
  const { inTurn } = yield* makeTurns

  const readChunk = (chunk: BlobHash): Effect.Effect<Uint8Array, StorageUnavailable> =>
    Effect.flatMap(files.readAll(chunk), (bytes) =>
      bytes === undefined
        ? Effect.fail(
            new StorageUnavailable({
              reason: "Contention",
              detail: "The archive was deleted during a download."
            })
          )
        : Effect.succeed(bytes)
    )

  const productions = makeProductions(limits, runDetached, readChunk)

  const produceWith =
    ({ organization, archive }: RequestedArchive, content: string): Produce =>
    (onChunk) =>
      inTurn(organization)(
        Effect.gen(function* () {
          const existing = yield* find(organization, content)
          if (existing !== undefined) return existing.hash
          const holder = yield* ids.next
          const bytes = yield* archive
          const written = files.write(bytes, undefined, { id: holder, onChunk })
          const { hash } = yield* Effect.uninterruptibleMask((restore) =>
            Effect.flatMap(restore(written), (stored) =>
              complete({ organization, content, holder }, stored).pipe(
                Effect.onExit((exit) =>
                  Exit.isSuccess(exit) && exit.value
                    ? Effect.void
                    : deleteBytes(holder, stored.hash, stored.chunks)
                ),
                Effect.as(stored)
              )
            )
          )
          yield* removeOldest(organization)
          return hash
        })
      )

  return {
    /**
     * Returns an archive, which is produced unless it is stored. Fails with the failure of its production before the first
     * bytes.
     */
    get: Effect.fnUntraced(function* (
      requested: RequestedArchive
    ): Effect.fn.Return<ExportDownload, ExportFailure> {
      const { organization } = requested
      // The production of another fiber would wait for the end of the caller's transaction.
      if (yield* isInTransaction) return { stream: yield* requested.archive }
      const content = sha256Hex(JSON.stringify([version, ...requested.content]))
      const stored = yield* find(organization, content)
      if (stored !== undefined) return downloadOf(stored)
      const key = `${organization} ${content}`
      const production = productions.join(key, organization, produceWith(requested, content))
      if (typeof production === "string") return { busy: production }
      const begun = yield* Effect.timeoutOption(productions.begin(key, production), limits.waitMillis)
      if (Option.isNone(begun)) return { busy: "workspace" }
      if (begun.value === undefined) return { stream: productions.follow(key, production) }
      const complete = yield* find(organization, content)
      return complete === undefined ? { stream: productions.follow(key, production) } : downloadOf(complete)
    }),

    /** Deletes expired archives with their bytes. */
    purge: Effect.gen(function* () {
      const time = yield* now
      for (;;) {
        const expired = yield* records.find(exportArchives, {
          select: storedColumns,
          where: Where.lte<ExportArchiveRow, "expiresAt">("expiresAt", time),
          limit: purgeBatchSize
        })
        yield* Effect.forEach(expired, removeArchive)
        if (expired.length < purgeBatchSize) return
      }
    })
  }
})

/** The methods of {@link ExportArchives}. */
export interface ExportArchivesService extends Effect.Success<typeof makeExportArchives> {}

/** Produces and stores the archives of exports. */
export class ExportArchives extends Context.Service<ExportArchives, ExportArchivesService>()(
  "@lectern/core/ExportArchives"
) {
  static readonly layer: Layer.Layer<ExportArchives, never, Records | ContentStore | Ids> = Layer.effect(
    ExportArchives,
    makeExportArchives
  )
}
