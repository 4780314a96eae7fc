/** The table `spaces`. */

import type { CollectionId } from "@lectern/model/collections"
import type { RevisionId } from "@lectern/model/content"
import type { MergeRules } from "@lectern/model/merge-rules"
import type { OrganizationId } from "@lectern/model/organizations"
import type { DefaultLevel } from "@lectern/model/roles"
import type { EditMode, GitSyncState, SpaceId } from "@lectern/model/spaces"
import { Table } from "../../storage/index.ts"
import { collections } from "../collections/collectionTable.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const spaceColumns = {
  id: Table.text<SpaceId>(),
  organization: Table.text<OrganizationId>(),
  title: Table.text(),
  emoji: Table.nullable(Table.text()),
  icon: Table.nullable(Table.text()),
  parent: Table.nullable(Table.text<CollectionId>()),
  position: Table.text(),
  path: Table.text(),
  defaultLevel: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
  level: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
  editMode: Table.text<EditMode>(),
  /** Null for `inherit`. */
  mergeRules: Table.nullable(Table.json<MergeRules>()),
  revision: Table.text<RevisionId>(),
  comments: Table.integer(),
  changeRequests: Table.integer(),
  changeRequestsOpen: Table.integer(),
  changeRequestsDraft: Table.integer(),
  /** The bytes of all versions of its Markdown and files. Restored versions count again until the next count. */
  contentBytes: Table.integer(),
  /** Whether `contentBytes` includes the revisions that existed at the last count. */
  isCounted: Table.boolean(),
  createdAt: Table.text(),
  updatedAt: Table.text(),
  deletedAt: Table.nullable(Table.text()),
  gitSync: Table.nullable(Table.json<GitSyncState>()),
  /** The most visible published site that the space is on: its visibility, and the URL or path there. */
  published: Table.nullable(
    Table.json<{
      readonly visibility: "public" | "unlisted" | "share-link" | "visitor-auth"
      readonly url: string
    }>()
  )
}

/** A row of the table `spaces`. */
export interface SpaceRow extends Table.RowOf<typeof spaceColumns> {}

/**
 * The table of spaces. `path` and `level` are derived from the space and its ancestors (`Placement.ts`). A space with
 * `deletedAt` is in the trash, until it is restored or purged.
 */
export const spaces: Table.ProtectedTable<"spaces", SpaceRow, "id"> = Table.makeProtected("spaces", {
  tenant: "organization",
  columns: spaceColumns,
  locking: lockedBySpace,
  key: ["id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    parent: { table: () => collections, onRemove: "restrict" }
  },
  indexes: [
    ["organization", "id"],
    ["organization", "parent", "position"],
    ["organization", "path"],
    ["parent", "position"],
    ["organization", "deletedAt", "level"],
    ["deletedAt"]
  ]
})
