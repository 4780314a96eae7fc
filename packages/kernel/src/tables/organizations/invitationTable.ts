/** The table `invitations`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { users } from "../users/userTable.ts"
import { organizations } from "./organizationTables.ts"

const invitationColumns = {
  organization: Table.text<OrganizationId>(),
  user: Table.text<UserId>(),
  invitedBy: Table.text<UserId>(),
  createdAt: Table.text(),
  expiresAt: Table.text()
}

/** A row of the table `invitations`. */
export interface InvitationRow extends Table.RowOf<typeof invitationColumns> {}

/** The members who were invited by e-mail address and have not signed in yet. The first sign-in of the user removes the rows. */
export const invitations: Table.ProtectedTable<"invitations", InvitationRow, "organization" | "user"> =
  Table.makeProtected("invitations", {
    tenant: "organization",
    columns: invitationColumns,
    locking: Table.withoutLocks,
    key: ["organization", "user"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      user: { table: () => users, onRemove: "cascade" }
    },
    indexes: [["user"]]
  })
