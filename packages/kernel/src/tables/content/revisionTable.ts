/** The table `revisions`. */

import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { GitCommit, RevisionId, RevisionType } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { type BlobHash, Table } from "../../storage/index.ts"
import { changeRequests } from "../change-requests/changeRequestTables.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"

const revisionColumns = {
  id: Table.text<RevisionId>(),
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
  type: Table.text<RevisionType>(),
  root: Table.text<BlobHash>(),
  parents: Table.json<ReadonlyArray<RevisionId>>(),
  mergedFrom: Table.nullable(Table.text<ChangeRequestId>()),
  author: Table.nullable(Table.text<UserId>()),
  message: Table.nullable(Table.text()),
  git: Table.nullable(Table.json<GitCommit>()),
  /** The time of the first of the automatic saves that the revision consists of. Null for other revisions. */
  automaticSince: Table.nullable(Table.text()),
  /** The automatic save that it replaced in the history. */
  replaces: Table.nullable(Table.text<RevisionId>()),
  /** When an automatic save replaced it in the history. It is removed later. */
  replacedAt: Table.nullable(Table.text()),
  createdAt: Table.text()
}

/** A row of the table `revisions`. */
export interface RevisionRow extends Table.RowOf<typeof revisionColumns> {}

/**
 * The table of revisions. `root` is the hash of the content. Revisions of a change request remain its own after its
 * merge; `mergedFrom` is the change request whose merge created the revision.
 */
export const revisions: Table.ProtectedTable<"revisions", RevisionRow, "id"> = Table.makeProtected(
  "revisions",
  {
    tenant: "organization",
    columns: revisionColumns,
    locking: lockedBySpace,
    key: ["id"],
    references: {
      space: { table: () => spaces, onRemove: "cascade" },
      changeRequest: { table: () => changeRequests, onRemove: "cascade" },
      mergedFrom: { table: () => changeRequests, onRemove: "cascade" }
    },
    indexes: [["space"], ["changeRequest"], ["mergedFrom"], ["replacedAt"]]
  }
)
