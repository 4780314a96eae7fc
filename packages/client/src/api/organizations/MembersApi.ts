/** The operations on the members of an organization. */
import {
  ListMemberSpaces,
  ListMembers,
  ListMemberTeams,
  Member,
  MemberPing,
  MemberSpace,
  MemberTeam,
  OrganizationId,
  pageOf,
  UpdateMember,
  UserId
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const member = { ...organization, userId: UserId }

/** The group of operations on the members of an organization. */
export const MembersApi = HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("listMembersInOrganizationById", "/orgs/:organizationId/members", {
      params: organization,
      query: {
        ...page,
        order: ListMembers.fields.order,
        role: ListMembers.fields.role,
        search: ListMembers.fields.search,
        sort: ListMembers.fields.sort
      },
      success: pageOf(Member),
      error: reading
    }).annotateMerge(describe("List members", "The members of the organization, the last joined first.")),
    HttpApiEndpoint.get("getMemberInOrganizationById", "/orgs/:organizationId/members/:userId", {
      params: member,
      success: Member,
      error: reading
    }).annotateMerge(describe("Get a member", "The member, with how many spaces and teams are theirs.")),
    HttpApiEndpoint.patch("updateMemberInOrganizationById", "/orgs/:organizationId/members/:userId", {
      params: member,
      payload: UpdateMember,
      success: Member,
      error: editing
    }).annotateMerge(
      describe(
        "Update a member",
        "Gives them another role; null makes a guest of them. The last administrator stays one."
      )
    ),
    HttpApiEndpoint.delete("removeMemberFromOrganizationById", "/orgs/:organizationId/members/:userId", {
      params: member,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe(
        "Remove a member",
        "Takes away their membership with all that it gave: places in teams, and what was shared with them."
      )
    ),
    HttpApiEndpoint.post("updateOrganizationMemberLastSeenAt", "/orgs/:organizationId/ping", {
      params: organization,
      success: MemberPing,
      error: changing
    }).annotateMerge(
      describe(
        "Ping an organization",
        "Notes that the caller is there, and answers claims about them for sites."
      )
    ),
    HttpApiEndpoint.post("setUserAsSSOMemberForOrganization", "/orgs/:organizationId/members/:userId/sso", {
      params: member,
      success: Member,
      error: changing
    }).annotateMerge(
      describe("Make a member one of single sign-on", "They come in where the organization asks for it.")
    ),
    HttpApiEndpoint.get("listSpacesForOrganizationMember", "/orgs/:organizationId/members/:userId/spaces", {
      params: member,
      query: {
        ...page,
        order: ListMemberSpaces.fields.order
      },
      success: pageOf(MemberSpace),
      error: reading
    }).annotateMerge(
      describe("List the spaces of a member", "The spaces that the member sees, with their role on each.")
    ),
    HttpApiEndpoint.get("listTeamsForOrganizationMember", "/orgs/:organizationId/members/:userId/teams", {
      params: member,
      query: {
        ...page,
        title: ListMemberTeams.fields.title
      },
      success: pageOf(MemberTeam),
      error: reading
    }).annotateMerge(
      describe(
        "List the teams of a member",
        "The teams that the member is in, newest first, with what they are there."
      )
    )
  )
  .annotateMerge(describeGroup("Organization members", "The people of an organization, and their roles."))
