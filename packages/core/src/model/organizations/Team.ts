/** Teams: groups of members that content is shared with. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { mapOf } from "../../kernel/schema/MapOf.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { UserId, users } from "../users/User.ts"
import { Member } from "./Member.ts"
import { type OrganizationId, organizations } from "./Organization.ts"

export const TeamId = idSchema("The id of a team.").pipe(Schema.brand("TeamId"))
export type TeamId = typeof TeamId.Type

/** What somebody is in a team: an owner manages it. */
export const TeamRole = Schema.Literals(["owner", "member"]).annotate({
  identifier: "TeamRole",
  description: "owner: can manage the team. member: belongs to it."
})
export type TeamRole = typeof TeamRole.Type

/** What the caller may do with a team: manage it, and see it. */
export const TeamPermissions = Schema.Struct({ admin: Schema.Boolean, view: Schema.Boolean })

const title = text({ min: 1, max: 64 })

/** A team, as the specification shows one. */
export const Team = Schema.Struct({
  object: Schema.Literal("team"),
  id: TeamId,
  title,
  members: Schema.Int.annotate({ description: "How many members are in it." }),
  spaces: Schema.Int.annotate({ description: "How many spaces are shared with it." }),
  createdAt: Timestamp,
  permissions: TeamPermissions
}).annotate({ identifier: "Team", description: "A group of members that content is shared with." })
export type Team = typeof Team.Type

/** What somebody's membership of a team says. */
export const TeamMembership = Schema.Struct({ role: TeamRole }).annotate({ identifier: "TeamMembership" })

/** A member of a team, as the specification shows one. */
export const TeamMember = Schema.Struct({
  organization: Member,
  team: TeamMembership,
  permissions: Schema.Struct({ view: Schema.Boolean })
}).annotate({ identifier: "TeamMember" })
export type TeamMember = typeof TeamMember.Type

/** A team of a member, as the specification shows one. */
export const MemberTeam = Schema.Struct({ team: Team, member: TeamMembership }).annotate({
  identifier: "MemberTeam"
})
export type MemberTeam = typeof MemberTeam.Type

/** The most people that a change of a team can name at once. */
const maximumNamed = 1000

/** Names a member: the id of the user, or their e-mail address. */
const Named = text({ min: 1, max: 254 })
const named = Schema.Array(Named).check(
  Schema.isMaxLength(maximumNamed, { message: `must be at most ${maximumNamed} members` })
)

/** What a team is made from. */
export const CreateTeam = Schema.Struct({
  title: trimmed({ min: 1, max: 64 }),
  members: Schema.optionalKey(named)
}).annotate({ identifier: "CreateTeam" })

/** What can be changed of a team. */
export const UpdateTeam = Schema.Struct({ title: CreateTeam.fields.title }).annotate({
  identifier: "UpdateTeam"
})

/** Who comes into a team, who leaves it, and what they are in it. Who is in `add` and in `remove` leaves. */
export const UpdateTeamMembers = Schema.Struct({
  add: Schema.optionalKey(named),
  remove: Schema.optionalKey(named),
  memberships: Schema.optionalKey(
    mapOf(TeamMembership, { min: 1, max: 254, most: maximumNamed, called: "members" })
  )
}).annotate({ identifier: "UpdateTeamMembers" })
export type UpdateTeamMembers = typeof UpdateTeamMembers.Type

/** What somebody is to be in a team; as they were, or a member, by default. */
export const PutTeamMember = Schema.Struct({ role: Schema.optionalKey(TeamRole) })

/** Only teams whose title has this in it, in whatever case. */
const titleFilter = Schema.optionalKey(text({ max: 255 }))

/** What a list of teams asks for. */
export const ListTeams = Schema.Struct({
  ...PageQuery.fields,
  title: titleFilter,
  /** Only those that this member can manage. */
  owner: Schema.optionalKey(UserId)
})

/** What a list of the teams of a member asks for. */
export const ListMemberTeams = Schema.Struct({ ...PageQuery.fields, title: titleFilter })

/** Where teams are kept. `folded` is the title, as searches compare it. */
export const teams = Table.make("teams", {
  columns: {
    id: Table.text<TeamId>(),
    organization: Table.text<OrganizationId>(),
    title: Table.text(),
    folded: Table.text(),
    createdAt: Table.text()
  },
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})
export type TeamRow = Table.Row<typeof teams>

/** Where the members of teams are kept. */
export const teamMembers = Table.make("teamMembers", {
  columns: {
    team: Table.text<TeamId>(),
    user: Table.text<UserId>(),
    organization: Table.text<OrganizationId>(),
    role: Table.text<TeamRole>()
  },
  key: ["team", "user"],
  references: {
    team: { table: () => teams, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user", "organization"]]
})
export type TeamMemberRow = Table.Row<typeof teamMembers>
