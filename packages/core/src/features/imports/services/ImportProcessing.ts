/** The background job that performs import runs. */

import { CurrentUser, Locks, SystemGrant } from "@lectern/access"
import { type JobHandler, now, Records, type StorageUnavailable } from "@lectern/kernel"
import { sha256 } from "@lectern/kernel/sha256"
import { type ImportCheckpoint, type ImportRunRow, importRuns } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import { Conflict } from "@lectern/model/errors"
import { type ImportRunId, maximumListedResources } from "@lectern/model/imports"
import { Context, Effect, Layer, Stream } from "effect"
import { ContentStore } from "../../content/ContentStore.ts"
import { CurrentRun, type PlanJournal, type PlannedChange, type RunContext } from "../RunContext.ts"
import { Imports } from "./Imports.ts"
import { activeStatuses, contentOfRun, importRunJob, isActive } from "./importRunRows.ts"

/** The number of pages that are planned between two checkpoints. */
const checkpointPages = 50

/** The interval at which a worker looks whether its run was cancelled, in milliseconds. */
const cancellationMillis = 1000

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Derives an id from a run and a key: the time of the run, and a part that cannot be guessed without the id of the run. */
const derivedId = (run: string, key: string): string => {
  const hash = sha256(`${run} ${key}`)
  return run.slice(0, 13) + Array.from(hash.subarray(0, 17), (byte) => alphabet[byte & 31]!).join("")
}

const makeRunContext = Effect.gen(function* () {
  const store = yield* ContentStore
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Performs import runs in background jobs.")

  /** Updates a run that has not ended. Returns whether it has not. */
  const updateActive = (id: string, set: Partial<Omit<ImportRunRow, "id">>) =>
    Effect.map(lockedTransaction([], records.update(importRuns, isActive(id), set)), (count) => count > 0)

  const makeContext = Effect.fnUntraced(function* (
    row: ImportRunRow
  ): Effect.fn.Return<RunContext, StorageUnavailable> {
    let checkpoint: ImportCheckpoint = row.checkpoint
    const planned = new Map<string, PlannedChange>()
    for (const hash of checkpoint.batches) {
      const bytes = yield* store.blobs.find(hash)
      const batch = bytes === undefined ? [] : JSON.parse(new TextDecoder().decode(bytes))
      for (const [key, change] of batch as ReadonlyArray<[string, PlannedChange]>) planned.set(key, change)
    }
    let pending: Array<readonly [key: string, planned: PlannedChange]> = []
    let done = planned.size
    const journal: PlanJournal = {
      idOf: (key) => derivedId(row.id, key),
      find: (key) => planned.get(key),
      add: Effect.fnUntraced(function* (key, change, total) {
        pending.push([key, change])
        done++
        if (pending.length < checkpointPages) return
        const batch = pending
        pending = []
        const [hash] = yield* store.blobs.put([new TextEncoder().encode(JSON.stringify(batch))])
        checkpoint = { ...checkpoint, batches: [...checkpoint.batches, hash!] }
        yield* updateActive(row.id, { checkpoint, imported: done, total })
      })
    }
    return {
      journal,
      uploads: row.files ?? undefined,
      loadUpload: ({ hash }) => store.files.readWhole(hash),
      loadArchive: Effect.suspend(() =>
        checkpoint.archive === undefined
          ? Effect.succeed(undefined)
          : store.files.readWhole(checkpoint.archive)
      ),
      saveArchive: Effect.fnUntraced(function* (bytes) {
        const stored = yield* store.files.write(Stream.make(bytes))
        yield* store.files.link(stored)
        checkpoint = { ...checkpoint, archive: stored.hash }
        yield* updateActive(row.id, { checkpoint })
      }),
      complete: Effect.fnUntraced(function* (granted, plan, result) {
        const pages = plan.changes.flatMap((change) =>
          change.operation === "import_page" && change.type === "document"
            ? [{ id: change.page as PageId, sourceURL: change.imported.resource }]
            : []
        )
        const count = yield* granted.update(importRuns, isActive(row.id), {
          status: "completed",
          imported: result.importedResources,
          total: result.totalResources,
          pages: pages.slice(0, maximumListedResources),
          skipped: plan.skipped.slice(0, maximumListedResources),
          skippedCount: plan.skipped.length,
          revision: result.revision,
          checkpoint: { batches: [] },
          completedAt: yield* now
        })
        if (count === 0) {
          return yield* new Conflict({ reason: "AlreadyDone", message: "The import run was cancelled." })
        }
      })
    }
  })

  return { records, updateActive, makeContext }
})

const makeImportProcessing = Effect.gen(function* () {
  const imports = yield* Imports
  const { records, updateActive, makeContext } = yield* makeRunContext

  const fail = Effect.fnUntraced(function* (id: string, message: string) {
    yield* updateActive(id, { status: "failed", error: message, completedAt: yield* now })
  })

  /** Fails as soon as the run has ended, for example because it was cancelled. */
  const untilEnded = (id: ImportRunId): Effect.Effect<void, StorageUnavailable> =>
    Effect.gen(function* () {
      for (;;) {
        yield* Effect.sleep(cancellationMillis)
        const row = yield* records.get(importRuns, { id }, ["status"])
        if (row === undefined || !activeStatuses.includes(row.status)) return
      }
    })

  const perform = Effect.fnUntraced(function* (id: ImportRunId): Effect.fn.Return<void, StorageUnavailable> {
    const row = yield* records.get(importRuns, { id })
    if (row === undefined || !activeStatuses.includes(row.status)) return
    if (!(yield* updateActive(id, { status: "in-progress", startedAt: row.startedAt ?? (yield* now) })))
      return
    const context = yield* makeContext(row)
    const input = { source: row.source, url: row.url }
    const importing = imports.import.decoded({ content: contentOfRun(row), input }).pipe(
      Effect.asVoid,
      Effect.provideService(CurrentRun, context),
      CurrentUser.provide(row.user),
      Effect.catchIf(
        (error) => error._tag !== "StorageUnavailable",
        (error) => fail(id, error.message)
      )
    )
    yield* Effect.raceFirst(importing as Effect.Effect<void, StorageUnavailable>, untilEnded(id))
  })

  const handler: JobHandler = {
    kind: importRunJob,
    locks: () => Locks.none,
    run: (payload) =>
      Effect.as(perform((payload as { readonly run: ImportRunId }).run), Effect.void as Effect.Effect<void>),
    onDead: (payload) =>
      Effect.flatMap(now, (time) =>
        Effect.asVoid(
          records.update(importRuns, isActive((payload as { readonly run: string }).run), {
            status: "failed",
            error: "The import failed repeatedly; the log of the server has the errors.",
            completedAt: time
          })
        )
      )
  }

  return { handler }
})

/** The methods of {@link ImportProcessing}. */
export interface ImportProcessingService extends Effect.Success<typeof makeImportProcessing> {}

/** Performs import runs: its `handler` is the job handler. */
export class ImportProcessing extends Context.Service<ImportProcessing, ImportProcessingService>()(
  "@lectern/core/ImportProcessing"
) {
  static readonly layer: Layer.Layer<ImportProcessing, never, ContentStore | Imports | Records> =
    Layer.effect(ImportProcessing, makeImportProcessing)
}
