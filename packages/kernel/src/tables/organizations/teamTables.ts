/** The tables `teams` and `teamMembers`. */

import type { OrganizationId, TeamId, TeamRole } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { users } from "../users/userTable.ts"
import { organizations } from "./organizationTables.ts"

const teamColumns = {
  id: Table.text<TeamId>(),
  organization: Table.text<OrganizationId>(),
  title: Table.text(),
  /** The title, folded for search. */
  folded: Table.text(),
  createdAt: Table.text()
}

/** A row of the table `teams`. */
export interface TeamRow extends Table.RowOf<typeof teamColumns> {}

/** The table of teams. */
export const teams: Table.ProtectedTable<"teams", TeamRow, "id"> = Table.makeProtected("teams", {
  tenant: "organization",
  columns: teamColumns,
  locking: lockedByOrganization,
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})

const teamMemberColumns = {
  team: Table.text<TeamId>(),
  user: Table.text<UserId>(),
  organization: Table.text<OrganizationId>(),
  role: Table.text<TeamRole>()
}

/** A row of the table `teamMembers`. */
export interface TeamMemberRow extends Table.RowOf<typeof teamMemberColumns> {}

/** The table of team members. */
export const teamMembers: Table.ProtectedTable<"teamMembers", TeamMemberRow, "team" | "user"> =
  Table.makeProtected("teamMembers", {
    tenant: "organization",
    owner: "user",
    columns: teamMemberColumns,
    locking: lockedByOrganization,
    key: ["team", "user"],
    references: {
      team: { table: () => teams, onRemove: "cascade" },
      user: { table: () => users, onRemove: "cascade" }
    },
    indexes: [["user", "organization"]]
  })
