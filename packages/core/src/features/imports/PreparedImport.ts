/** An import that is ready to be written. */

import type { Skipped } from "@lectern/formats"
import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { Outline } from "@lectern/markdown/outline"
import type { GitCommit } from "@lectern/model/content"
import type { Effect } from "effect"
import type { ImportChange } from "../content/edit/importChanges.ts"

/** The changes of an import, with its counts and its report. The bodies and files of a repository are stored already. */
export interface PreparedImport {
  readonly changes: ReadonlyArray<ImportChange>
  readonly outlines: ReadonlyMap<BlobHash, Outline>
  readonly imported: number
  readonly total: number
  readonly skipped: ReadonlyArray<Skipped>
  readonly git: GitCommit | undefined
  /** Stores the bodies and files that are not stored, in the transaction that writes the changes. */
  readonly store: Effect.Effect<void, StorageUnavailable>
}
