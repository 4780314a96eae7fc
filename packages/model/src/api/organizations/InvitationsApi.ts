import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Invitation, OrganizationId, pageOf, RenewedInvitation, UserId } from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"

const organization = { organizationId: OrganizationId }
const invitation = { ...organization, userId: UserId }
const path = "/orgs/:organizationId/invitations" as const

/** The group of operations on invitations by e-mail address. */
export const InvitationsApi = HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("listInvitations", path, {
      params: organization,
      query: page,
      success: pageOf(Invitation),
      error: reading
    }).annotateMerge(
      describe(
        "List invitations",
        "Returns the members who were invited by e-mail address and have not signed in yet."
      )
    ),
    HttpApiEndpoint.post("renewInvitation", `${path}/:userId/renew`, {
      params: invitation,
      success: RenewedInvitation,
      error: changing
    })
      .annotate(ReturnsSecret, always)
      .annotateMerge(
        describe(
          "Renew an invitation",
          "Sends the invitation again, with a link that signs the user in once. If the server cannot send e-mail, the response contains the link, except for programs and tokens with limited permissions."
        )
      ),
    HttpApiEndpoint.delete("revokeInvitation", `${path}/:userId`, {
      params: invitation,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe("Revoke an invitation", "Revokes the invitation, and removes the user from the organization.")
    )
  )
  .annotateMerge(
    describeGroup("Invitations", "Members who were invited by e-mail address, until they sign in.")
  )
