/** The table `importRuns`. */

import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { RevisionId } from "@lectern/model/content"
import type {
  ImportRun,
  ImportRunId,
  ImportRunStatus,
  ImportSource,
  UploadedFileType
} from "@lectern/model/imports"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import type { UploadKey } from "@lectern/model/uploads"
import type { UserId } from "@lectern/model/users"
import { type BlobHash, Table } from "../../storage/index.ts"
import { changeRequests } from "../change-requests/changeRequestTables.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { spaces } from "../spaces/spaceTable.ts"

/** The work that a run has completed, with which it resumes after a crash. */
export interface ImportCheckpoint {
  /** The stored bytes of the archive. */
  readonly archive?: BlobHash
  /** Stored lists of the pages that are parsed. */
  readonly batches: ReadonlyArray<BlobHash>
}

/** An uploaded file of a run. */
export interface UploadedFile {
  readonly key: UploadKey
  readonly name: string
  readonly type: UploadedFileType
  /** The hash of the bytes, which are reachable until the run ends. */
  readonly hash: BlobHash
}

const importRunColumns = {
  id: Table.text<ImportRunId>(),
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
  user: Table.text<UserId>(),
  source: Table.text<ImportSource>(),
  url: Table.text(),
  status: Table.text<ImportRunStatus>(),
  isAwaited: Table.boolean(),
  imported: Table.integer(),
  total: Table.integer(),
  skippedCount: Table.integer(),
  skipped: Table.json<ImportRun["skipped"]>(),
  pages: Table.json<ReadonlyArray<Pick<ImportRun["pages"][number], "id" | "sourceURL">>>(),
  checkpoint: Table.json<ImportCheckpoint>(),
  revision: Table.nullable(Table.text<RevisionId>()),
  error: Table.nullable(Table.text()),
  startedAt: Table.nullable(Table.text()),
  completedAt: Table.nullable(Table.text()),
  createdAt: Table.text(),
  /** The uploaded files that the run imports, of which `source` and `url` are derived; null for a run that fetches its source. */
  files: Table.nullable(Table.json<ReadonlyArray<UploadedFile>>())
}

/** A row of the table `importRuns`. */
export interface ImportRunRow extends Table.RowOf<typeof importRunColumns> {}

/**
 * The table of import runs. Their rows change by single statements with a condition on the status, which need no locks.
 * `isAwaited` is set if a client of the synchronous operation has not received the result yet.
 */
export const importRuns: Table.ProtectedTable<"importRuns", ImportRunRow, "id"> = Table.makeProtected(
  "importRuns",
  {
    tenant: "organization",
    columns: importRunColumns,
    locking: Table.withoutLocks,
    key: ["id"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      space: { table: () => spaces, onRemove: "cascade" },
      changeRequest: { table: () => changeRequests, onRemove: "cascade" }
    },
    indexes: [["organization", "id"], ["space"], ["changeRequest"]]
  }
)
