/** Invites: links by which users join an organization, and invitations by e-mail address. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { RoleOrGuest } from "../roles/Role.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { IsoDateTime, Timestamp } from "../schema/Text.ts"
import { Email, UserId } from "../users/User.ts"

/** The id of an invite link. It is a secret: any user who has it can join the organization. */
export const InviteId = idSchema("The id of an invite. Any user who has it can join by it.").pipe(
  Schema.brand("InviteId")
)

/** The id of an invite link. It is a secret: any user who has it can join the organization. */
export type InviteId = string & Brand.Brand<"InviteId">

/** An invite link: any user who has its id can join the organization. */
export class Invite extends resource<Invite>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("invite"),
    /** The id of the invite link. */
    id: InviteId,
    /** The role of users who join by the link; null for guests. */
    role: RoleOrGuest,
    /** Whether the caller is a member with this role or a higher one, so that joining changes nothing. */
    redundant: Schema.Boolean,
    /** When the link expires. Absent if it does not expire. */
    expiresAt: Schema.optionalKey(Timestamp),
    /** How many users can join by the link. Absent if it is not limited. */
    maximumUses: Schema.optionalKey(Schema.Int),
    /** How many users have joined by the link, or got a higher role. */
    uses: Schema.Int
  }).annotate({ identifier: "Invite" })
) {}

const maximumUses = Schema.NullOr(
  Schema.Int.check(
    Schema.isBetween({ minimum: 1, maximum: 10_000 }, { message: "must be a whole number from 1 to 10000" })
  )
)

/** The fields of a new invite link. */
export class CreateInvite extends resource<CreateInvite>()(
  Schema.Struct({
    /** The role of users who join by the link; null for guests. */
    role: RoleOrGuest,
    /** When the link expires; null for a link that does not expire. After 30 days by default. */
    expiresAt: Schema.optionalKey(Schema.NullOr(IsoDateTime)),
    /** How many users can join by the link, 1 to 10,000; null for any number, which is the default. */
    maximumUses: Schema.optionalKey(maximumUses)
  }).annotate({ identifier: "CreateInvite" })
) {}

/** The fields to update on an invite link. */
export class UpdateInvite extends resource<UpdateInvite>()(
  Schema.Struct({
    /** The role of users who join by the link from now on; null for guests. */
    role: RoleOrGuest,
    /** When the link expires; null for a link that does not expire. Unchanged by default. */
    expiresAt: CreateInvite.fields.expiresAt,
    /** How many users can join by the link in total, 1 to 10,000; null for any number. Unchanged by default. */
    maximumUses: CreateInvite.fields.maximumUses
  }).annotate({ identifier: "UpdateInvite" })
) {}

/** The maximum number of addresses in one invitation. */
const maximumEmails = 100

/** The users to invite by e-mail address. */
export class InviteByEmail extends resource<InviteByEmail>()(
  Schema.Struct({
    /** The e-mail addresses to invite, at most 100, each with an optional role. */
    emails: Schema.Array(
      Schema.Union([
        Email,
        Schema.Struct({
          /** The e-mail address to invite. */
          email: Email,
          /** The role of this user; null for guests. */
          role: RoleOrGuest
        })
      ])
    ).check(Schema.isMaxLength(maximumEmails, { message: `must be at most ${maximumEmails} addresses` })),
    /** The role for addresses without a role; null for guests. The organization's default role by default. */
    role: Schema.optionalKey(RoleOrGuest),
    /** Whether the new members log in by single sign-on; false by default. */
    sso: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "InviteByEmail" })
) {}

/** The result of an invitation by e-mail address. */
export class InvitedByEmail extends resource<InvitedByEmail>()(
  Schema.Struct({
    /** The users who became members. Existing members are not included. */
    users: Schema.Array(UserId),
    /** The number of users who became members. */
    invited: Schema.Int,
    /**
     * The addresses of new members without single sign-on, although it was requested: they are members of other
     * organizations too. Absent if all of them have single sign-on.
     */
    failedSSOEmails: Schema.optionalKey(Schema.Array(Schema.String))
  }).annotate({ identifier: "InvitedByEmail" })
) {}

/** The result of joining by an invite link: an empty object. */
export class JoinedOrganization extends resource<JoinedOrganization>()(Schema.Struct({})) {}

/** How a user joins an organization: by an invite link, or by the domain of the address without one. */
export class JoinLink extends resource<JoinLink>()(
  Schema.Struct({
    /** The invite link. */
    invite: Schema.optionalKey(InviteId)
  })
) {}
