/** The tables `provisionedMembers` and `provisionedTeams`. */

import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type { UserProfile } from "@lectern/model/provisioning"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { teams } from "../organizations/teamTables.ts"
import { users } from "../users/userTable.ts"

const ofOrganization = { table: () => organizations, onRemove: "cascade" } as const

const memberColumns = {
  organization: Table.text<OrganizationId>(),
  user: Table.text<UserId>(),
  userName: Table.text(),
  /** The user name, folded, because its comparison ignores case. */
  folded: Table.text(),
  externalId: Table.nullable(Table.text()),
  profile: Table.json<UserProfile>(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `provisionedMembers`. */
export interface ProvisionedMemberRow extends Table.RowOf<typeof memberColumns> {}

/** The table of the statements of the identity provider of an organization about its members. */
export const provisionedMembers: Table.ProtectedTable<
  "provisionedMembers",
  ProvisionedMemberRow,
  "organization" | "user"
> = Table.makeProtected("provisionedMembers", {
  tenant: "organization",
  owner: "user",
  columns: memberColumns,
  locking: lockedByOrganization,
  key: ["organization", "user"],
  unique: [["organization", "folded"]],
  references: { organization: ofOrganization, user: { table: () => users, onRemove: "cascade" } },
  indexes: [["organization", "externalId"], ["user"]]
})

const teamColumns = {
  organization: Table.text<OrganizationId>(),
  team: Table.text<TeamId>(),
  externalId: Table.nullable(Table.text()),
  updatedAt: Table.text()
}

/** A row of the table `provisionedTeams`. */
export interface ProvisionedTeamRow extends Table.RowOf<typeof teamColumns> {}

/** The table of the statements of the identity provider of an organization about its teams. */
export const provisionedTeams: Table.ProtectedTable<
  "provisionedTeams",
  ProvisionedTeamRow,
  "organization" | "team"
> = Table.makeProtected("provisionedTeams", {
  tenant: "organization",
  columns: teamColumns,
  locking: lockedByOrganization,
  key: ["organization", "team"],
  references: { organization: ofOrganization, team: { table: () => teams, onRemove: "cascade" } },
  indexes: [["organization", "externalId"], ["team"]]
})
