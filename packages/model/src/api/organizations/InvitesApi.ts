import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import {
  CreateInvite,
  Invite,
  InviteByEmail,
  InvitedByEmail,
  InviteId,
  OrganizationId,
  pageOf,
  UpdateInvite
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, joining, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"

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
    })
      .annotateMerge(
        describe("List invite links", "Returns the invite links of the organization, newest first.")
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.post("createOrganizationInvite", "/orgs/:organizationId/link-invites", {
      params: organization,
      payload: CreateInvite,
      success: created(Invite),
      error: changing
    })
      .annotateMerge(
        describe(
          "Create an invite link",
          "Creates an invite link. Any user with its id can join the organization with its role, until it expires or was used as often as it can be."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.get("getOrganizationInviteLink", "/orgs/:organizationId/link-invites/:inviteId", {
      params: invite,
      success: Invite,
      error: reading
    })
      .annotateMerge(
        describe("Get an invite link", "Returns the invite link. Its id is the only credential.")
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.patch("updateOrganizationInviteById", "/orgs/:organizationId/link-invites/:inviteId", {
      params: invite,
      payload: UpdateInvite,
      success: Invite,
      error: editing
    }).annotateMerge(
      describe(
        "Update an invite link",
        "Changes the role of users who join with the link later, its expiry and its number of uses. Members who have already joined keep their role."
      )
    ),
    HttpApiEndpoint.delete("deleteOrganizationInviteById", "/orgs/:organizationId/link-invites/:inviteId", {
      params: invite,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe(
        "Delete an invite link",
        "Deletes the invite link, with which users can no longer join. Members who have already joined are not affected."
      )
    ),
    HttpApiEndpoint.post("inviteUsersToOrganization", "/orgs/:organizationId/invites", {
      params: organization,
      payload: InviteByEmail,
      success: InvitedByEmail,
      error: changing
    }).annotateMerge(
      describe(
        "Invite users by e-mail address",
        "Adds users to the organization immediately, and creates missing accounts. Users who have never signed in receive an e-mail with a link, if the server can send e-mail."
      )
    ),
    HttpApiEndpoint.post("joinOrganizationWithInvite", "/orgs/:organizationId/invites/:inviteId", {
      params: invite,
      success: Schema.Struct({}),
      error: joining
    }).annotateMerge(
      describe(
        "Join an organization",
        "Joins the organization with an invite link. An existing member gets the role of the link if it is higher."
      )
    )
  )
  .annotateMerge(describeGroup("Invites", "Invitations to organizations, by e-mail address and by link."))
