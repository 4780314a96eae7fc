/** The table `invites`. */

import type { InviteId, OrganizationId } from "@lectern/model/organizations"
import type { Role } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "./organizationTables.ts"

const inviteColumns = {
  id: Table.text<InviteId>(),
  organization: Table.text<OrganizationId>(),
  /** Null for guests. */
  role: Table.nullable(Table.text<Role>()),
  /** The administrator who has set the role: the link never grants more than the role that this member has. */
  createdBy: Table.text<UserId>(),
  createdAt: Table.text(),
  expiresAt: Table.nullable(Table.text()),
  maximumUses: Table.nullable(Table.integer()),
  uses: Table.integer()
}

/** A row of the table `invites`. */
export interface InviteRow extends Table.RowOf<typeof inviteColumns> {}

/** The table of invite links. */
export const invites: Table.ProtectedTable<"invites", InviteRow, "id"> = Table.makeProtected("invites", {
  tenant: "organization",
  columns: inviteColumns,
  locking: lockedByOrganization,
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})
