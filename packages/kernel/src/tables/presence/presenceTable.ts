/** The table `presences`. */

import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { PresenceState } from "@lectern/model/presence"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { users } from "../users/userTable.ts"

const presenceColumns = {
  organization: Table.text<OrganizationId>(),
  /** The id of the change request, or of the space for primary content. */
  subject: Table.text(),
  page: Table.text<PageId>(),
  user: Table.text<UserId>(),
  /** The name that the client of the user has chosen for its window. */
  client: Table.text(),
  space: Table.text<SpaceId>(),
  state: Table.text<PresenceState>(),
  expiresAt: Table.text()
}

/** A row of the table `presences`. */
export interface PresenceRow extends Table.RowOf<typeof presenceColumns> {}

/** The table of announcements of open pages. Processes share it. Rows change by single statements, and expire. */
export const presences: Table.ProtectedTable<
  "presences",
  PresenceRow,
  "organization" | "subject" | "page" | "user" | "client"
> = Table.makeProtected("presences", {
  tenant: "organization",
  columns: presenceColumns,
  locking: Table.withoutLocks,
  key: ["organization", "subject", "page", "user", "client"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["space"], ["user"], ["expiresAt"]]
})
