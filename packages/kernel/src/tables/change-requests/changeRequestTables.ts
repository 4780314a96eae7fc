/** The tables `changeRequests` and `contributors`. */

import type {
  ChangeRequestDescription,
  ChangeRequestId,
  ChangeRequestStatus
} from "@lectern/model/change-requests"
import type { RevisionId } from "@lectern/model/content"
import type { MergeRules } from "@lectern/model/merge-rules"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { users } from "../users/userTable.ts"

const changeRequestColumns = {
  id: Table.text<ChangeRequestId>(),
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  number: Table.integer(),
  status: Table.text<ChangeRequestStatus>(),
  subject: Table.text(),
  description: Table.nullable(Table.json<ChangeRequestDescription>()),
  /** Null for `inherit`. */
  mergeRules: Table.nullable(Table.json<MergeRules>()),
  createdBy: Table.text<UserId>(),
  agentTaskId: Table.nullable(Table.text()),
  revision: Table.text<RevisionId>(),
  revisionInitial: Table.text<RevisionId>(),
  revisionMergedAncestor: Table.nullable(Table.text<RevisionId>()),
  revisionMerged: Table.nullable(Table.text<RevisionId>()),
  comments: Table.integer(),
  /** The bytes of the Markdown and the files that it added since the last count of its space. */
  contentBytes: Table.integer(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `changeRequests`. */
export interface ChangeRequestRow extends Table.RowOf<typeof changeRequestColumns> {}

/** The table of change requests. `revision` is the proposed one. */
export const changeRequests: Table.ProtectedTable<"changeRequests", ChangeRequestRow, "id"> =
  Table.makeProtected("changeRequests", {
    tenant: "organization",
    columns: changeRequestColumns,
    locking: lockedBySpace,
    key: ["id"],
    unique: [["space", "number"]],
    references: {
      space: { table: () => spaces, onRemove: "cascade" },
      createdBy: { table: () => users, onRemove: "restrict" }
    },
    indexes: [["space", "status", "number"], ["createdBy"]]
  })

const contributorColumns = {
  organization: Table.text<OrganizationId>(),
  changeRequest: Table.text<ChangeRequestId>(),
  user: Table.text<UserId>()
}

interface ContributorRow extends Table.RowOf<typeof contributorColumns> {}

/** The table of contributors: users who created a change request or changed its content. */
export const contributors: Table.ProtectedTable<
  "changeRequestContributors",
  ContributorRow,
  "changeRequest" | "user"
> = Table.makeProtected("changeRequestContributors", {
  tenant: "organization",
  columns: contributorColumns,
  locking: lockedBySpace,
  key: ["changeRequest", "user"],
  references: {
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})
