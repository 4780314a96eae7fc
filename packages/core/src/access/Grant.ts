/** Grants: content shared with one user or one team, beside what its default level gives to everybody. */
import { type OrganizationId, organizations } from "../organizations/Organization.ts"
import { type TeamId, teams } from "../organizations/Team.ts"
import { type UserId, users } from "../organizations/User.ts"
import { Table } from "../storage/index.ts"
import type { Role } from "./Role.ts"

/** Where grants are kept. Each is for a user or for a team, on a space or on a collection with all that is in it. */
export const grants = Table.make("grants", {
  columns: {
    id: Table.text(),
    organization: Table.text<OrganizationId>(),
    kind: Table.text<"space" | "collection">(),
    /** The id of the space or the collection. */
    target: Table.text(),
    user: Table.nullable(Table.text<UserId>()),
    team: Table.nullable(Table.text<TeamId>()),
    role: Table.text<Role>()
  },
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
  indexes: [["organization", "user"], ["user"], ["team"]]
})
export type GrantRow = Table.Row<typeof grants>
