export { Bootstrap, type Bootstrapped } from "./Administration.ts"
export { DeletedOrganization, OrganizationTrash } from "./DeletedOrganization.ts"
export { Invitation, RenewedInvitation } from "./Invitation.ts"
export {
  CreateInvite,
  Invite,
  InviteByEmail,
  InvitedByEmail,
  InviteId,
  JoinedOrganization,
  UpdateInvite
} from "./Invite.ts"
export { ListMembers, Member, MemberPing, UpdateMember } from "./Member.ts"
export {
  CreateOrganization,
  type DefaultContent,
  Domain,
  Organization,
  OrganizationId,
  OrganizationPermissions,
  OrganizationsOfDomain,
  UpdateOrganization
} from "./Organization.ts"
export { OrganizationUsage, UsedResource } from "./OrganizationUsage.ts"
export {
  CreateTeam,
  ListMemberTeams,
  ListTeams,
  MemberTeam,
  PutTeamMember,
  Team,
  TeamId,
  TeamMember,
  TeamMembership,
  TeamPermissions,
  TeamRole,
  UpdateTeam,
  UpdateTeamMembers
} from "./Team.ts"
