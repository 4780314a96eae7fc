/** The table `gitSyncs`. */

import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { RevisionId } from "@lectern/model/content"
import type { GitDirection, GitOperationStage, GitOperationState } from "@lectern/model/git"
import type { OrganizationId } from "@lectern/model/organizations"
import type { GitSyncState, SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { changeRequests } from "../change-requests/changeRequestTables.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"

/** An operation that was requested and has not ended. The operations of a space run in the order of their requests. */
export interface QueuedGitOperation {
  readonly id: string
  readonly direction: GitDirection
  readonly force: boolean
  readonly standalone: boolean
  /** The message of the commit of an export. */
  readonly message: string
  readonly user: UserId
  readonly requestedAt: string
  readonly url: string
  /** The user name and the password, encrypted. */
  readonly credentials: string | null
  readonly ref: string
  readonly folder: string
  readonly commitUrl: string | null
  /** The repository as the space presents it. Absent if it does not change. */
  readonly repository?: GitSyncState
}

/** The columns of an operation that ended before the latest one. */
export interface EndedGitOperationColumns {
  readonly direction: GitDirection
  readonly state: GitOperationState
  readonly error: string | null
  readonly startedAt: string
  readonly completedAt: string | null
}

const gitSyncColumns = {
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  /** The user who started the latest operation, with whose permissions it runs. */
  user: Table.text<UserId>(),
  url: Table.text(),
  /** The user name and the password, encrypted. */
  credentials: Table.nullable(Table.text()),
  ref: Table.text(),
  folder: Table.text(),
  commitUrl: Table.nullable(Table.text()),
  /** The revision with the content of the commit: the base of the next merge. */
  revision: Table.nullable(Table.text<RevisionId>()),
  commit: Table.nullable(Table.text()),
  changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
  timestamp: Table.nullable(Table.text()),
  /** The id of the latest operation that has started. */
  operation: Table.text(),
  direction: Table.text<GitDirection>(),
  state: Table.text<GitOperationState>(),
  stage: Table.text<GitOperationStage>(),
  error: Table.nullable(Table.text()),
  startedAt: Table.text(),
  updatedAt: Table.text(),
  completedAt: Table.nullable(Table.text()),
  /** The operations that have not ended, in the order of their requests. The first one is `operation`. */
  queue: Table.nullable(Table.json<ReadonlyArray<QueuedGitOperation>>()),
  /** The operation that ended before `operation` started. */
  previous: Table.nullable(Table.json<EndedGitOperationColumns>()),
  /**
   * The export that is pushing a commit, with the revision of the commit and the revision that it was created from. Set before
   * the push, and removed in the transaction that records its outcome.
   */
  pushOperation: Table.nullable(Table.text()),
  pushRevision: Table.nullable(Table.text<RevisionId>()),
  pushBase: Table.nullable(Table.text<RevisionId>())
}

/** A row of the table `gitSyncs`. */
export interface GitSyncRow extends Table.RowOf<typeof gitSyncColumns> {}

/** The table of the connections of spaces with Git repositories. */
export const gitSyncs: Table.ProtectedTable<"gitSyncs", GitSyncRow, "space"> = Table.makeProtected(
  "gitSyncs",
  {
    tenant: "organization",
    columns: gitSyncColumns,
    locking: lockedBySpace,
    key: ["space"],
    references: {
      space: { table: () => spaces, onRemove: "cascade" },
      changeRequest: { table: () => changeRequests, onRemove: "cascade" }
    },
    indexes: [["changeRequest"]]
  }
)

/** The place of the credentials of a space, which their encryption authenticates. */
export const gitCredentialsPlace = (space: string): string => `git ${space}`
