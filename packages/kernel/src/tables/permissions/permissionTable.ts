/** The table `grants`. */

import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type { Role } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { teams } from "../organizations/teamTables.ts"
import { users } from "../users/userTable.ts"

const grantColumns = {
  id: Table.text(),
  organization: Table.text<OrganizationId>(),
  kind: Table.text<"space" | "collection" | "site">(),
  /** The id of the space, the collection or the site. */
  target: Table.text(),
  user: Table.nullable(Table.text<UserId>()),
  team: Table.nullable(Table.text<TeamId>()),
  role: Table.text<Role>()
}

/** A row of the table `grants`. */
export interface GrantRow extends Table.RowOf<typeof grantColumns> {}

/** The table of grants. Each is for either a user or a team, on a space, on a collection with everything in it, or on a site. */
export const grants: Table.ProtectedTable<"grants", GrantRow, "id"> = Table.makeProtected("grants", {
  tenant: "organization",
  owner: "user",
  columns: grantColumns,
  locking: lockedByOrganization,
  key: ["id"],
  unique: [
    ["target", "user"],
    ["target", "team"]
  ],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" },
    team: { table: () => teams, onRemove: "cascade" }
  },
  indexes: [["organization", "user"], ["user"], ["team"], ["target", "id"]]
})
