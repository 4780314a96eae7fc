/** The events of organizations, members and teams. */
import * as Schema from "effect/Schema"
import { StandaloneMergeRules } from "../merge-rules/MergeRules.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { UserId } from "../users/User.ts"
import { CommunityType, DefaultContent, OrganizationId, OrganizationType, UseCase } from "./Organization.ts"
import { TeamId, TeamRole } from "./Team.ts"

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
    secondFactor: Schema.Boolean,
    ai: Schema.Boolean,
    inviteLinks: Schema.Boolean,
    domainJoin: Schema.Boolean,
    mergeRules: Schema.NullOr(StandaloneMergeRules),
    createdAt: Timestamp,
    /** When the organization was moved to the trash. */
    deletedAt: Schema.NullOr(Timestamp)
  })
) {}

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

/** The data of the events of a team. */
export class TeamEventData extends resource<TeamEventData>()(
  Schema.Struct({ id: TeamId, organization: OrganizationId, title: Schema.String, createdAt: Timestamp })
) {}

/** The data of the events of a team member. */
export class TeamMemberEventData extends resource<TeamMemberEventData>()(
  Schema.Struct({ team: TeamId, user: UserId, organization: OrganizationId, role: TeamRole })
) {}
