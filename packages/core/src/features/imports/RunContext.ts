/** The import run that an import belongs to, if it runs in the background. */

import type { GrantedRecords } from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import type { UploadedFile } from "@lectern/kernel/tables"
import type { Conflict } from "@lectern/model/errors"
import type { ImportedContent } from "@lectern/model/imports"
import { Context, type Effect } from "effect"
import type { ImportPage } from "../content/edit/importChanges.ts"
import type { PreparedImport } from "./PreparedImport.ts"

/** A planned page. */
export interface PlannedChange {
  /** The change that writes the page. */
  readonly change: ImportPage
  /** The paths of the files that the page refers to. */
  readonly files: ReadonlyArray<string>
  /** The paths of the pages that the page links to. */
  readonly links: ReadonlyArray<string>
}

/** The pages of a repository that are planned, which a resumed run does not parse again. */
export interface PlanJournal {
  /** Returns the id of the content with a key, which is the same after a crash. */
  readonly idOf: (key: string) => string
  /** Returns the change of a page that was planned before, by the key of its node. */
  readonly find: (key: string) => PlannedChange | undefined
  /** Records that a page is planned. Its body is stored. */
  readonly add: (
    key: string,
    planned: PlannedChange,
    total: number
  ) => Effect.Effect<void, StorageUnavailable>
}

/** An import run in progress. */
export interface RunContext {
  readonly journal: PlanJournal
  /** The uploaded files that the run imports; undefined for a run that fetches its source. */
  readonly uploads: ReadonlyArray<UploadedFile> | undefined
  /** Returns the bytes of an uploaded file, or `undefined` if they are no longer stored. */
  readonly loadUpload: (file: UploadedFile) => Effect.Effect<Uint8Array | undefined, StorageUnavailable>
  /** Returns the archive that the run has fetched before a crash, or `undefined`. */
  readonly loadArchive: Effect.Effect<Uint8Array | undefined, StorageUnavailable>
  /** Stores the fetched archive. */
  readonly saveArchive: (bytes: Uint8Array) => Effect.Effect<void, StorageUnavailable>
  /** Completes the run, in the transaction that writes the revision. Fails with `Conflict` if the run was cancelled. */
  readonly complete: (
    records: GrantedRecords,
    plan: PreparedImport,
    result: ImportedContent
  ) => Effect.Effect<void, Conflict | StorageUnavailable>
}

/** The run of the current import; undefined for an import that a client waits for. */
export const CurrentRun = Context.Reference<RunContext | undefined>("@lectern/core/CurrentImportRun", {
  defaultValue: () => undefined
})
