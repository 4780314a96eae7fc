/** Invitations by e-mail address: memberships whose users have not signed in yet. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { UserId } from "../users/User.ts"
import { OrganizationId } from "./Organization.ts"

const fields = {
  /** The kind of this object. */
  object: Schema.Literal("invitation"),
  /** The organization that the user is a member of. */
  organization: OrganizationId,
  /** The id of the invited user, which identifies the invitation in the organization. */
  user: UserId,
  /** The e-mail address that was invited. */
  email: Schema.String,
  /** The administrator who has invited the user, or renewed the invitation. */
  invitedBy: UserId,
  /** When the user was invited. */
  createdAt: Timestamp,
  /** When the link of the invitation expires. The membership remains. */
  expiresAt: Timestamp
}

/** An invitation: a member who has not signed in yet. */
export class Invitation extends resource<Invitation>()(
  Schema.Struct(fields).annotate({
    identifier: "Invitation",
    description: "A member who was invited by e-mail address, and has not signed in yet."
  })
) {}

/** An invitation that was renewed. */
export class RenewedInvitation extends resource<RenewedInvitation>()(
  Schema.Struct({
    ...fields,
    /**
     * The link that signs the user in, once. Present only if the server cannot send e-mail: give it to the user. It does not work
     * for an account that was used, or that is in another organization.
     */
    url: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "RenewedInvitation" })
) {}
