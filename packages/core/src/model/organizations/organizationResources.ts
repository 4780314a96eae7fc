/** The events of organizations, members and teams. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { StandaloneMergeRules } from "../merge-rules/MergeRules.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { UserId } from "../users/User.ts"
import { members } from "./Member.ts"
import {
  CommunityType,
  DefaultContent,
  OrganizationId,
  OrganizationType,
  organizations,
  UseCase
} from "./Organization.ts"
import { TeamId, TeamRole, teamMembers, teams } from "./Team.ts"

/** The data of the events of a organization. */
export class OrganizationEventData extends resource<OrganizationEventData>()(
  Schema.Struct({
    id: OrganizationId,
    title: Schema.String,
    type: OrganizationType,
    useCase: Schema.NullOr(UseCase),
    communityType: Schema.NullOr(CommunityType),
    emailDomains: Schema.Array(Schema.String),
    hostname: Schema.NullOr(Schema.String),
    defaultRole: RoleOrGuest,
    defaultContent: Schema.NullOr(DefaultContent),
    logo: Schema.NullOr(Schema.String),
    sso: Schema.Boolean,
    ai: Schema.Boolean,
    inviteLinks: Schema.Boolean,
    mergeRules: Schema.NullOr(StandaloneMergeRules),
    createdAt: Timestamp
  })
) {}

/** The events of organizations. */
export const organizationEvents = resourceEvents("organization", "An organization.", organizations, {
  data: OrganizationEventData
})

/** The data of the events of a member. */
export class MemberEventData extends resource<MemberEventData>()(
  Schema.Struct({
    organization: OrganizationId,
    user: UserId,
    role: RoleOrGuest,
    disabled: Schema.Boolean,
    sso: Schema.Boolean,
    joinedAt: Timestamp
  })
) {}

/** The events of memberships. */
export const memberEvents = resourceEvents(
  "member",
  "The membership of a user in an organization.",
  members,
  {
    data: MemberEventData
  }
)

/** The data of the events of a team. */
export class TeamEventData extends resource<TeamEventData>()(
  Schema.Struct({ id: TeamId, organization: OrganizationId, title: Schema.String, createdAt: Timestamp })
) {}

/** The events of teams. */
export const teamEvents = resourceEvents("team", "A team of members.", teams, {
  data: TeamEventData
})

/** The data of the events of a team member. */
export class TeamMemberEventData extends resource<TeamMemberEventData>()(
  Schema.Struct({ team: TeamId, user: UserId, organization: OrganizationId, role: TeamRole })
) {}

/** The events of team members. */
export const teamMemberEvents = resourceEvents(
  "teamMember",
  "The membership of a user in a team.",
  teamMembers,
  {
    data: TeamMemberEventData
  }
)
