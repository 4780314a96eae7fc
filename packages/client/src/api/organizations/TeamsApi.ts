/** The operations on teams, and on the people in them. */
import {
  CreateTeam,
  ListTeams,
  OrganizationId,
  PutTeamMember,
  pageOf,
  Team,
  TeamId,
  TeamMember,
  UpdateTeam,
  UpdateTeamMembers,
  UserId
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const team = { ...organization, teamId: TeamId }
const member = { ...team, userId: UserId }

/** The group of operations on teams. */
export const TeamsApi = HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.get("listTeamsInOrganizationById", "/orgs/:organizationId/teams", {
      params: organization,
      query: {
        ...page,
        title: ListTeams.fields.title,
        owner: ListTeams.fields.owner
      },
      success: pageOf(Team),
      error: reading
    }).annotateMerge(describe("List teams", "The teams of the organization, newest first.")),
    HttpApiEndpoint.put("createOrganizationTeam", "/orgs/:organizationId/teams", {
      params: organization,
      payload: CreateTeam,
      success: Team.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(describe("Create a team", "Of the members that are named, by their ids or addresses.")),
    HttpApiEndpoint.get("getTeamInOrganizationById", "/orgs/:organizationId/teams/:teamId", {
      params: team,
      success: Team,
      error: reading
    }).annotateMerge(describe("Get a team", "The team, with how many people and spaces are its own.")),
    HttpApiEndpoint.patch("updateTeamInOrganizationById", "/orgs/:organizationId/teams/:teamId", {
      params: team,
      payload: UpdateTeam,
      success: Team,
      error: editing
    }).annotateMerge(describe("Update a team", "Gives it another title.")),
    HttpApiEndpoint.delete("removeTeamFromOrganizationById", "/orgs/:organizationId/teams/:teamId", {
      params: team,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe("Delete a team", "Takes away what was shared with it; its members stay members.")
    ),
    HttpApiEndpoint.get("listTeamMembersInOrganizationById", "/orgs/:organizationId/teams/:teamId/members", {
      params: team,
      query: page,
      success: pageOf(TeamMember),
      error: reading
    }).annotateMerge(
      describe("List the members of a team", "In the order of their accounts, the newest first.")
    ),
    HttpApiEndpoint.put("updateMembersInOrganizationTeam", "/orgs/:organizationId/teams/:teamId/members", {
      params: team,
      payload: UpdateTeamMembers,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Update the members of a team",
        "Takes people in and out, and says what they are there, all at once. Who is in add and in remove leaves."
      )
    ),
    HttpApiEndpoint.put(
      "addMemberToOrganizationTeamById",
      "/orgs/:organizationId/teams/:teamId/members/:userId",
      {
        params: member,
        payload: PutTeamMember,
        success: HttpApiSchema.Empty(204),
        error: changing
      }
    ).annotateMerge(
      describe("Add a member to a team", "Or changes what they are in it, where the role is given.")
    ),
    HttpApiEndpoint.delete(
      "deleteMemberFromOrganizationTeamById",
      "/orgs/:organizationId/teams/:teamId/members/:userId",
      { params: member, success: HttpApiSchema.Empty(204), error: changing }
    ).annotateMerge(describe("Remove a member from a team", "They stay a member of the organization."))
  )
  .annotateMerge(describeGroup("Teams", "Groups of members that content is shared with."))
