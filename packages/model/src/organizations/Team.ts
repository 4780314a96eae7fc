/** Teams: groups of members that content is shared with. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { mapOf } from "../schema/MapOf.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { rejecting } from "../schema/rejectedFields.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text, trimmed } from "../schema/Text.ts"
import { UserId } from "../users/User.ts"
import { Member } from "./Member.ts"

/** The id of a team. */
export const TeamId = idSchema("The id of a team.").pipe(Schema.brand("TeamId"))

/** The id of a team. */
export type TeamId = string & Brand.Brand<"TeamId">

/** The role of a member in a team. */
export const TeamRole = Schema.Literals(["owner", "member"]).annotate({
  identifier: "TeamRole",
  description: "owner: can manage the team. member: belongs to it."
})

/** The role of a member in a team. */
export type TeamRole = typeof TeamRole.Type

/** The permissions of the caller on a team. */
export class TeamPermissions extends resource<TeamPermissions>()(
  Schema.Struct({
    /** Whether the caller can manage the team: rename it, add and remove members. */
    admin: Schema.Boolean,
    /** Whether the caller can view the team. */
    view: Schema.Boolean
  })
) {}

/** A team: a group of members that content is shared with. */
export class Team extends resource<Team>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("team"),
    /** The id of the team. */
    id: TeamId,
    /** The name of the team, 1 to 64 characters. */
    title: text({ min: 1, max: 64 }),
    /** The number of members of the team. */
    members: Schema.Int,
    /** The number of spaces that are shared with the team. */
    spaces: Schema.Int,
    /** When the team was created. */
    createdAt: Timestamp,
    /** The permissions of the caller on the team. */
    permissions: TeamPermissions
  }).annotate({ identifier: "Team", description: "A group of members that content is shared with." })
) {}

/** The membership of a user in a team. */
export class TeamMembership extends resource<TeamMembership>()(
  Schema.Struct({
    /** The role in the team. */
    role: TeamRole
  }).annotate({ identifier: "TeamMembership" })
) {}

/** A member of a team. */
export class TeamMember extends resource<TeamMember>()(
  Schema.Struct({
    /** The membership in the organization. */
    organization: Member,
    /** The membership in the team. */
    team: TeamMembership,
    /** The permissions of the caller on the team member. */
    permissions: Schema.Struct({
      /** Whether the caller can view the team member; always true. */
      view: Schema.Boolean
    })
  }).annotate({ identifier: "TeamMember" })
) {}

/** A team of a member, with their membership in it. */
export class MemberTeam extends resource<MemberTeam>()(
  Schema.Struct({
    /** The team. */
    team: Team,
    /** The membership of the member in the team. */
    member: TeamMembership
  }).annotate({ identifier: "MemberTeam" })
) {}

/** The maximum number of members in one update of a team. */
const maximumReferences = 1000

/** A reference to a member: the id of the user, or their e-mail address. */
const MemberReference = text({ min: 1, max: 254 })

const memberReferences = Schema.Array(MemberReference).check(
  Schema.isMaxLength(maximumReferences, { message: `must be at most ${maximumReferences} members` })
)

/** The fields of a new team. */
export class CreateTeam extends resource<CreateTeam>()(
  Schema.Struct({
    /** The name of the team, 1 to 64 characters. Leading and trailing whitespace is removed. */
    title: trimmed({ min: 1, max: 64 }),
    /** The first members of the team, by user id or e-mail address, at most 1000; none by default. */
    members: Schema.optionalKey(memberReferences)
  }).annotate({ identifier: "CreateTeam" })
) {}

/** The fields to update on a team. */
export class UpdateTeam extends resource<UpdateTeam>()(
  Schema.Struct({
    /** The name of the team, 1 to 64 characters. Leading and trailing whitespace is removed. */
    title: CreateTeam.fields.title
  }).annotate({
    identifier: "UpdateTeam",
    ...rejecting({
      members: { message: "has no effect. Add and remove members by `PUT` of the members of the team" }
    })
  })
) {}

/** The members to add to a team and to remove from it, and their roles. `remove` takes precedence. */
export class UpdateTeamMembers extends resource<UpdateTeamMembers>()(
  Schema.Struct({
    /**
     * The members of the organization to add, by user id or e-mail address, at most 1000. New ones get the role
     * `member`.
     */
    add: Schema.optionalKey(memberReferences),
    /** The members to remove, by user id or e-mail address, at most 1000. Users who are not in the team are ignored. */
    remove: Schema.optionalKey(memberReferences),
    /** The roles of members in the team, by user id or e-mail address, at most 1000. Adds members who are not in it. */
    memberships: Schema.optionalKey(
      mapOf(TeamMembership, { min: 1, max: 254, maxEntries: maximumReferences, noun: "members" })
    )
  }).annotate({ identifier: "UpdateTeamMembers" })
) {}

/** The role of a member in a team. */
export class PutTeamMember extends resource<PutTeamMember>()(
  Schema.Struct({
    /** The role in the team. By default an existing member of the team keeps theirs, and a new one gets `member`. */
    role: Schema.optionalKey(TeamRole)
  }).annotate({ identifier: "PutTeamMember" })
) {}

/** Text to search for in the title of a team. */
const TitleFilter = text({ max: 255 })

/** The filter and page of a list of teams. */
export class ListTeams extends resource<ListTeams>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only teams whose title contains this text, at most 255 characters. Ignores case. */
    title: Schema.optionalKey(TitleFilter),
    /** Only teams that this member can manage: the teams that they own, or all teams for an administrator. */
    owner: Schema.optionalKey(UserId)
  })
) {}

/** The filter and page of a list of the teams of a member. */
export class ListMemberTeams extends resource<ListMemberTeams>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only teams whose title contains this text, at most 255 characters. Ignores case. */
    title: Schema.optionalKey(TitleFilter)
  })
) {}
