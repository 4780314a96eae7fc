/** Invites: links that whoever has one joins an organization by, and invitations by e-mail address. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type Role, RoleOrGuest } from "../roles/Role.ts"
import { Email, UserId } from "../users/User.ts"
import { type OrganizationId, organizations } from "./Organization.ts"

export const InviteId = idSchema("The id of an invite. Whoever knows it can join by it.").pipe(
  Schema.brand("InviteId")
)
export type InviteId = typeof InviteId.Type

/** An invite link, as the specification shows one. */
export const Invite = Schema.Struct({
  object: Schema.Literal("invite"),
  id: InviteId,
  role: RoleOrGuest,
  redundant: Schema.Boolean.annotate({ description: "Whether the caller would gain nothing by it." })
}).annotate({ identifier: "Invite" })
export type Invite = typeof Invite.Type

/** What an invite link is made from: the role of those who join by it; null for guests. */
export const CreateInvite = Schema.Struct({ role: RoleOrGuest }).annotate({ identifier: "CreateInvite" })

/** What can be changed of an invite link. */
export const UpdateInvite = Schema.Struct({ role: RoleOrGuest }).annotate({ identifier: "UpdateInvite" })

/** The most addresses that are invited at once. */
const maximumEmails = 100

/** Who is invited by e-mail address. */
export const InviteByEmail = Schema.Struct({
  emails: Schema.Array(Schema.Union([Email, Schema.Struct({ email: Email, role: RoleOrGuest })])).check(
    Schema.isMaxLength(maximumEmails, { message: `must be at most ${maximumEmails} addresses` })
  ),
  /** The role of those without one of their own; the organization's default role by default. */
  role: Schema.optionalKey(RoleOrGuest),
  /** Whether they are to come by single sign-on; false by default. */
  sso: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "InviteByEmail" })

/** Who came into the organization by an invitation. */
export const InvitedByEmail = Schema.Struct({
  users: Schema.Array(UserId).annotate({
    description: "The users who are members now, and were not before."
  }),
  invited: Schema.Int.annotate({ description: "How many they are." }),
  failedSSOEmails: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description:
      "Those who were not made members by single sign-on, for they are in other organizations too: they are members without it."
  })
}).annotate({ identifier: "InvitedByEmail" })
export type InvitedByEmail = typeof InvitedByEmail.Type

/** Where invite links are kept. */
export const invites = Table.make("invites", {
  columns: {
    id: Table.text<InviteId>(),
    organization: Table.text<OrganizationId>(),
    role: Table.nullable(Table.text<Role>()),
    createdBy: Table.text<UserId>(),
    createdAt: Table.text()
  },
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})
export type InviteRow = Table.Row<typeof invites>
