/** Reads and changes the rows of import runs. */

import type { GrantedReader, GrantedRecords } from "@lectern/access"
import { type Ids, type JobsService, now, type StorageUnavailable, Where } from "@lectern/kernel"
import { type ImportRunRow, importRuns, type UploadedFile } from "@lectern/kernel/tables"
import type { EditableContent } from "@lectern/model/content"
import { NotFound } from "@lectern/model/errors"
import type { ImportContent } from "@lectern/model/imports"
import { type ImportRun, ImportRunId, type ImportRunStatus, isOtherSource } from "@lectern/model/imports"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import type { ResolvedContent } from "../../content/ContentAccess.ts"
import { nameOfUpload } from "./uploadedFiles.ts"

/** The kind of the job. */
export const importRunJob = "import"

/** The statuses of a run that has not ended. */
export const activeStatuses: ReadonlyArray<ImportRunStatus> = ["pending", "in-progress"]

/** Returns the content that a run imports into. */
export const contentOfRun = ({ space, changeRequest }: ImportRunRow): EditableContent => ({
  space,
  ...(changeRequest === null ? {} : { changeRequest })
})

/** Matches a run that has not ended. */
export const isActive = (id: string): Where.Where<ImportRunRow> =>
  Where.and<ImportRunRow>(Where.eq("id", id as ImportRunId), Where.isIn("status", activeStatuses))

/** Creates a run, and enqueues its job, in the current transaction. */
export const insertRun = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { ids, jobs }: { readonly ids: Ids["Service"]; readonly jobs: JobsService },
  { space, changeRequest, caller }: ResolvedContent,
  { source, url }: ImportContent,
  {
    isAwaited = false,
    files
  }: { readonly isAwaited?: boolean; readonly files?: ReadonlyArray<UploadedFile> } = {}
): Effect.fn.Return<ImportRunRow, StorageUnavailable> {
  const row: ImportRunRow = {
    id: ImportRunId.make(yield* ids.next),
    organization: space.organization,
    space: space.id,
    changeRequest: changeRequest?.id ?? null,
    user: caller.user,
    source,
    url,
    status: "pending",
    isAwaited,
    imported: 0,
    total: 0,
    skippedCount: 0,
    skipped: [],
    pages: [],
    checkpoint: { batches: [] },
    revision: null,
    error: null,
    startedAt: null,
    completedAt: null,
    createdAt: yield* now,
    files: files ?? null
  }
  yield* records.insert(importRuns, row)
  yield* jobs.enqueue(importRunJob, { run: row.id })
  return row
})

/** Finds the run of an organization with an id. Fails with `NotFound` if it does not exist. */
export const requireRun = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  id: ImportRunId
): Effect.fn.Return<ImportRunRow, NotFound | StorageUnavailable> {
  const row = yield* records.first(importRuns, {
    where: Where.and<ImportRunRow>(Where.eq("id", id), Where.eq("organization", organization))
  })
  return row ?? (yield* NotFound.of("import run"))
})

/** Finds the run that a client of the synchronous operation started with the same request, and waits for. */
export const findAwaitedRun = (
  records: GrantedReader,
  { space, changeRequest, caller }: ResolvedContent,
  { source, url }: ImportContent
): Effect.Effect<ImportRunRow | undefined, StorageUnavailable> =>
  records.first(importRuns, {
    where: Where.and<ImportRunRow>(
      Where.eq("space", space.id),
      Where.is("changeRequest", changeRequest?.id ?? null),
      Where.eq("user", caller.user),
      Where.eq("source", source),
      Where.eq("url", url),
      Where.eq("isAwaited", true)
    )
  })

/** Converts a run to a resource. */
export const presentRun = (row: ImportRunRow): ImportRun => ({
  id: row.id,
  status: row.status,
  ...(row.startedAt === null ? {} : { startedAt: row.startedAt }),
  ...(row.completedAt === null ? {} : { completedAt: row.completedAt }),
  pages: row.pages.map(({ id, sourceURL = "" }) => ({
    ...{ id, type: "page", status: "complete" },
    sourceURL: row.files === null ? sourceURL : nameOfUpload(sourceURL)
  })),
  source:
    row.files === null
      ? { type: row.source, url: row.url }
      : {
          type: "file",
          files: row.files.map(({ key }) => key),
          ...(isOtherSource(row.source) ? { format: row.source } : {})
        },
  importedResources: row.imported,
  totalResources: row.total,
  skippedResources: row.skippedCount,
  skipped: row.skipped,
  ...(row.revision === null ? {} : { revision: row.revision }),
  ...(row.error === null ? {} : { error: row.error })
})
