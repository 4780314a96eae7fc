/** The operations on invites. */
import {
  CreateInvite,
  Invite,
  InviteByEmail,
  InvitedByEmail,
  InviteId,
  OrganizationId,
  pageOf,
  UpdateInvite
} from "@lectern/core/model"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const invite = { ...organization, inviteId: InviteId }

/** The group of operations on invites. */
export const InvitesApi = HttpApiGroup.make("invites")
  .add(
    HttpApiEndpoint.get("listOrganizationInviteLinks", "/orgs/:organizationId/link-invites", {
      params: organization,
      query: page,
      success: pageOf(Invite),
      error: reading
    }).annotateMerge(describe("List invite links", "The links that people can join by, newest first.")),
    HttpApiEndpoint.post("createOrganizationInvite", "/orgs/:organizationId/link-invites", {
      params: organization,
      payload: CreateInvite,
      success: Invite.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(describe("Create an invite link", "Whoever knows its id can join with its role.")),
    HttpApiEndpoint.get("getOrganizationInviteLink", "/orgs/:organizationId/link-invites/:inviteId", {
      params: invite,
      success: Invite,
      error: reading
    }).annotateMerge(describe("Get an invite link", "For whoever knows its id.")),
    HttpApiEndpoint.patch("updateOrganizationInviteById", "/orgs/:organizationId/link-invites/:inviteId", {
      params: invite,
      payload: UpdateInvite,
      success: Invite,
      error: editing
    }).annotateMerge(
      describe("Update an invite link", "Changes the role of those who join by it from now on.")
    ),
    HttpApiEndpoint.delete("deleteOrganizationInviteById", "/orgs/:organizationId/link-invites/:inviteId", {
      params: invite,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Delete an invite link", "Nobody joins by it any more; those who did stay.")),
    HttpApiEndpoint.post("inviteUsersToOrganization", "/orgs/:organizationId/invites", {
      params: organization,
      payload: InviteByEmail,
      success: InvitedByEmail,
      error: changing
    }).annotateMerge(
      describe(
        "Invite people by e-mail address",
        "Makes members of them, at once, with an account where there is none. Nothing is sent to them."
      )
    ),
    HttpApiEndpoint.post("joinOrganizationWithInvite", "/orgs/:organizationId/invites/:inviteId", {
      params: invite,
      success: Schema.Struct({}),
      error: changing
    }).annotateMerge(
      describe(
        "Join an organization",
        "By an invite link: as a new member, or with its role where that is higher."
      )
    )
  )
  .annotateMerge(describeGroup("Invites", "The ways into an organization."))
