import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
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
} from "../../index.ts"
import { created } from "../shared/created.ts"
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
    }).annotateMerge(describe("List teams", "Returns the teams of the organization, newest first.")),
    HttpApiEndpoint.put("createOrganizationTeam", "/orgs/:organizationId/teams", {
      params: organization,
      payload: CreateTeam,
      success: created(Team),
      error: changing
    }).annotateMerge(
      describe("Create a team", "Creates a team with the given members, by their ids or e-mail addresses.")
    ),
    HttpApiEndpoint.get("getTeamInOrganizationById", "/orgs/:organizationId/teams/:teamId", {
      params: team,
      success: Team,
      error: reading
    }).annotateMerge(describe("Get a team", "Returns the team, with the number of its members and spaces.")),
    HttpApiEndpoint.patch("updateTeamInOrganizationById", "/orgs/:organizationId/teams/:teamId", {
      params: team,
      payload: UpdateTeam,
      success: Team,
      error: editing
    }).annotateMerge(describe("Update a team", "Changes the title of the team.")),
    HttpApiEndpoint.delete("removeTeamFromOrganizationById", "/orgs/:organizationId/teams/:teamId", {
      params: team,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe(
        "Delete a team",
        "Deletes the team and its permissions. Its members stay members of the organization."
      )
    ),
    HttpApiEndpoint.get("listTeamMembersInOrganizationById", "/orgs/:organizationId/teams/:teamId/members", {
      params: team,
      query: page,
      success: pageOf(TeamMember),
      error: reading
    }).annotateMerge(
      describe(
        "List the members of a team",
        "Returns the members of the team, ordered by the creation of their accounts, newest first."
      )
    ),
    HttpApiEndpoint.put("updateMembersInOrganizationTeam", "/orgs/:organizationId/teams/:teamId/members", {
      params: team,
      payload: UpdateTeamMembers,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Update the members of a team",
        "Adds and removes members and sets their roles in the team, in one transaction. A user who is both added and removed is removed."
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
      describe(
        "Add a member to a team",
        "Adds the member to the team, or changes their role in the team if `role` is set."
      )
    ),
    HttpApiEndpoint.delete(
      "deleteMemberFromOrganizationTeamById",
      "/orgs/:organizationId/teams/:teamId/members/:userId",
      { params: member, success: HttpApiSchema.Empty(204), error: changing }
    ).annotateMerge(
      describe(
        "Remove a member from a team",
        "Removes the member from the team. They stay a member of the organization."
      )
    )
  )
  .annotateMerge(describeGroup("Teams", "Groups of members with which content can be shared."))
