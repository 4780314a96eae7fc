/** Teams: groups of members that content is shared with. */
import { Schema } from "effect"
import * as Id from "../shared/Id.ts"
import { Table } from "../storage/index.ts"
import { type OrganizationId, organizations } from "./Organization.ts"
import { type UserId, users } from "./User.ts"

export const TeamId = Id.schema("The id of a team.").pipe(Schema.brand("TeamId"))
export type TeamId = typeof TeamId.Type

/** Where teams are kept. */
export const teams = Table.make("teams", {
  columns: {
    id: Table.text<TeamId>(),
    organization: Table.text<OrganizationId>(),
    title: Table.text(),
    createdAt: Table.text()
  },
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})

/** Where the members of teams are kept. An owner manages the team. */
export const teamMembers = Table.make("teamMembers", {
  columns: {
    team: Table.text<TeamId>(),
    user: Table.text<UserId>(),
    organization: Table.text<OrganizationId>(),
    role: Table.text<"owner" | "member">()
  },
  key: ["team", "user"],
  references: {
    team: { table: () => teams, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user", "organization"]]
})
