/** Operations on import runs. */

import {
  Access,
  alsoByInput,
  type Command,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { ImportLimits } from "@lectern/formats"
import { Ids, Jobs, now, readPage, Where } from "@lectern/kernel"
import {
  type ImportRunRow,
  importRuns,
  type SiteSpaceRow,
  type SpaceRow,
  siteSpaces,
  spaces
} from "@lectern/kernel/tables"
import { type Conflict, type Forbidden, type Gone, InvalidInput, NotFound } from "@lectern/model/errors"
import { type ImportRun, ImportRunId, ListImportRuns, StartImportRun } from "@lectern/model/imports"
import { OrganizationId } from "@lectern/model/organizations"
import type { Page } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { ContentAccess, type ResolvedContent } from "../../content/ContentAccess.ts"
import { ContentStore } from "../../content/ContentStore.ts"
import { requireEditable } from "../../content/edit/edit.ts"
import { activeStatuses, contentOfRun, insertRun, isActive, presentRun, requireRun } from "./importRunRows.ts"
import { isArchive, requireUploads, urlOfUploads } from "./uploadedFiles.ts"

type RunError = NotFound | Forbidden | Conflict | Gone

/** Operations on import runs, on behalf of the `CurrentUser`. */
export interface ImportRunsOperations {
  /**
   * Starts an import in the background, and returns its run. Requires the permission to edit the content. Fails with
   * `Conflict` if the content cannot be edited in its current state, and with `InvalidInput` if a key is not that of a complete
   * file that the caller has uploaded for an import. An import that fails or is cancelled changes nothing.
   */
  readonly start: Command<{ organization: OrganizationId; input: StartImportRun }, ImportRun, RunError>
  /** Returns a run with its progress and its report. Requires the permission to read the content. */
  readonly get: Query<{ organization: OrganizationId; run: ImportRunId }, ImportRun, RunError>
  /** Lists the runs of the organization that import into spaces which the caller can see, last started first. */
  readonly list: Query<
    { organization: OrganizationId; input?: ListImportRuns },
    Page<ImportRun>,
    NotFound | Forbidden
  >
  /**
   * Cancels a run, and returns it. A run that has ended stays unchanged. Requires the permission to edit the content.
   */
  readonly cancel: Command<{ organization: OrganizationId; run: ImportRunId }, ImportRun, RunError>
}

/** Returns the condition that a run imports into one of the visible spaces of the organization. */
const inSpaces = (
  records: GrantedReader,
  organization: OrganizationId,
  visible: Where.Where<SpaceRow>
): Where.Where<ImportRunRow> =>
  records.inSelect<ImportRunRow, "space", typeof spaces, "id">(
    "space",
    spaces,
    "id",
    Where.and<SpaceRow>(Where.eq("organization", organization), Where.isNull("deletedAt"), visible)
  )

/** Returns the conditions that select the runs of a list. */
const selects = (
  records: GrantedReader,
  { space, changeRequest, site, status }: ListImportRuns
): ReadonlyArray<Where.Where<ImportRunRow>> => [
  space === undefined ? Where.all : Where.eq("space", space),
  changeRequest === undefined ? Where.all : Where.eq("changeRequest", changeRequest),
  status === undefined ? Where.all : Where.isIn("status", status === "active" ? activeStatuses : [status]),
  site === undefined
    ? Where.all
    : records.inSelect("space", siteSpaces, "space", Where.eq<SiteSpaceRow, "site">("site", site))
]

const makeImportRuns = Effect.gen(function* () {
  const { command, query, allow } = yield* Operations
  const access = yield* ContentAccess
  const visibility = yield* Access
  const ids = yield* Ids
  const jobs = yield* Jobs
  const limits = yield* ImportLimits
  const store = yield* ContentStore

  /** Authorizes the caller for the content of a run. A run of content that they cannot see is like one that does not exist. */
  const openContentOf = (row: ImportRunRow, action: "read" | "edit") =>
    Effect.catchTag(access.open(contentOfRun(row), action), "NotFound", () => NotFound.of("import run"))

  /** Inserts a run of the uploads that a source names. */
  const insertUploadRun = Effect.fnUntraced(function* (
    records: GrantedRecords,
    resolved: ResolvedContent,
    { files: keys, format }: Extract<StartImportRun["source"], { readonly type: "file" }>
  ) {
    const { organization } = resolved.space
    const files = yield* requireUploads(records, organization, resolved.caller.user, keys, limits)
    const [first] = files
    if (format !== undefined && !isArchive(first!.type)) {
      return yield* InvalidInput.at(
        "source.format",
        "must be absent for documents, because it is the format of an archive"
      )
    }
    // The run outlives its uploads, which can be replaced and expire.
    for (const { hash } of files) yield* store.files.keep(hash)
    const input = { source: format ?? first!.type, url: urlOfUploads(files) }
    return yield* insertRun(records, { ids, jobs }, resolved, input, { files })
  })

  return {
    start: command(
      "ImportRuns.start",
      {
        parameters: { organization: OrganizationId, input: StartImportRun },
        authorize: alsoByInput(allow.organization("view"), "content.edit"),
        locks: ({ organization, input }) => Locks.spaceAnd(organization, input.target)
      },
      function* ({ organization, input: { source, target } }, { records }) {
        const resolved = yield* access.open(target, "edit")
        if (resolved.space.organization !== organization) return yield* NotFound.of("space")
        yield* requireEditable(resolved)
        if (source.type !== "file") {
          const input = { source: source.type, url: source.url }
          return presentRun(yield* insertRun(records, { ids, jobs }, resolved, input))
        }
        const row = yield* insertUploadRun(records, resolved, source)
        return presentRun(row)
      }
    ),

    get: query(
      "ImportRuns.get",
      {
        parameters: { organization: OrganizationId, run: ImportRunId },
        authorize: allow.organization("view")
      },
      function* ({ organization, run }, given) {
        const row = yield* requireRun(given.records, organization, run)
        yield* openContentOf(row, "read")
        return presentRun(row)
      }
    ),

    list: query(
      "ImportRuns.list",
      {
        parameters: { organization: OrganizationId, input: ListImportRuns },
        authorize: allow.organization("list")
      },
      function* ({ organization, input }, { caller, records }) {
        const { space, changeRequest, site, status } = input
        const visible = yield* visibility.whereVisible(caller)
        return yield* readPage(records, input, {
          table: importRuns,
          list: ["import runs", organization, space, changeRequest, site, status],
          where: Where.and<ImportRunRow>(
            Where.eq("organization", organization),
            inSpaces(records, organization, visible),
            ...selects(records, input)
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map(presentRun))
        })
      }
    ),

    cancel: command(
      "ImportRuns.cancel",
      {
        parameters: { organization: OrganizationId, run: ImportRunId },
        authorize: alsoByInput(allow.organization("view"), "content.edit"),
        locks: ({ organization }) => Locks.organization({ organization })
      },
      function* ({ organization, run }, given) {
        const row = yield* requireRun(given.records, organization, run)
        yield* openContentOf(row, "edit")
        const set = { status: "cancelled", completedAt: yield* now } as const
        const count = yield* given.records.update(importRuns, isActive(run), set)
        return presentRun(
          count === 0 ? yield* requireRun(given.records, organization, run) : { ...row, ...set }
        )
      }
    )
  }
})

/** Operations on import runs: see {@link ImportRunsOperations}. */
export class ImportRuns extends Context.Service<ImportRuns, ImportRunsOperations>()(
  "@lectern/core/ImportRuns"
) {
  static readonly layer: Layer.Layer<
    ImportRuns,
    never,
    Operations | Access | ContentAccess | ContentStore | Ids | Jobs
  > = Layer.effect(ImportRuns, makeImportRuns)
}
