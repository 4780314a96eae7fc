/** The events of organizations, members, teams and invites. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { Role, RoleOrGuest } from "../roles/Role.ts"
import { UserId } from "../users/User.ts"
import { InviteId, invites } from "./Invite.ts"
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

/** The events of organizations. */
export const organizationEvents = resourceEvents("organization", "An organization.", organizations, {
  data: {
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
    createdAt: Timestamp
  }
})

/** The events of memberships. */
export const memberEvents = resourceEvents(
  "member",
  "The membership of a user in an organization.",
  members,
  {
    data: {
      organization: OrganizationId,
      user: UserId,
      role: RoleOrGuest,
      disabled: Schema.Boolean,
      sso: Schema.Boolean,
      joinedAt: Timestamp
    }
  }
)

/** The events of teams. */
export const teamEvents = resourceEvents("team", "A team of members.", teams, {
  data: { id: TeamId, organization: OrganizationId, title: Schema.String, createdAt: Timestamp }
})

/** The events of team members. */
export const teamMemberEvents = resourceEvents(
  "teamMember",
  "The membership of a user in a team.",
  teamMembers,
  {
    data: { team: TeamId, user: UserId, organization: OrganizationId, role: TeamRole }
  }
)

/** The events of invite links. */
export const inviteEvents = resourceEvents(
  "invite",
  "An invite link. Its id is the secret part of the link.",
  invites,
  {
    data: {
      id: InviteId,
      organization: OrganizationId,
      role: Schema.NullOr(Role),
      createdBy: UserId,
      createdAt: Timestamp
    }
  }
)
