import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
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
} from "../../index.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ChangedResource, ReturnsSecret } from "../shared/requestConditions.ts"

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
    }).annotateMerge(
      describe("List members", "Returns the members of the organization, most recently joined first.")
    ),
    HttpApiEndpoint.get("getMemberInOrganizationById", "/orgs/:organizationId/members/:userId", {
      params: member,
      success: Member,
      error: reading
    }).annotateMerge(
      describe("Get a member", "Returns the member, with the number of their spaces and teams.")
    ),
    HttpApiEndpoint.patch("updateMemberInOrganizationById", "/orgs/:organizationId/members/:userId", {
      params: member,
      payload: UpdateMember,
      success: Member,
      error: editing
    }).annotateMerge(
      describe(
        "Update a member",
        "Changes the role of the member. `null` makes the member a guest. The role of the last administrator cannot be changed."
      )
    ),
    HttpApiEndpoint.delete("removeMemberFromOrganizationById", "/orgs/:organizationId/members/:userId", {
      params: member,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe(
        "Remove a member",
        "Removes the member from the organization, from its teams, and from all content that is shared with them."
      )
    ),
    HttpApiEndpoint.post("updateOrganizationMemberLastSeenAt", "/orgs/:organizationId/ping", {
      params: organization,
      success: MemberPing,
      error: changing
    })
      .annotateMerge(
        describe(
          "Ping an organization",
          "Records that the caller is active, and returns signed visitor claims about them for sites."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.post("setUserAsSSOMemberForOrganization", "/orgs/:organizationId/members/:userId/sso", {
      params: member,
      success: Member,
      error: editing
    })
      .annotateMerge(
        describe(
          "Mark a member as a single sign-on user",
          "Allows the member access if the organization requires single sign-on."
        )
      )
      .annotate(ChangedResource, "/orgs/:organizationId/members/:userId"),
    HttpApiEndpoint.get("listSpacesForOrganizationMember", "/orgs/:organizationId/members/:userId/spaces", {
      params: member,
      query: {
        ...page,
        order: ListMemberSpaces.fields.order
      },
      success: pageOf(MemberSpace),
      error: reading
    }).annotateMerge(
      describe(
        "List the spaces of a member",
        "Returns the spaces that the member can see, with their role in each."
      )
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
        "Returns the teams of the member, newest first, with their role in each."
      )
    )
  )
  .annotateMerge(describeGroup("Organization members", "The members of organizations, and their roles."))
