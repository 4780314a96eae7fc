/** Members: the membership of a user in an organization. */

import { Schema } from "effect"
import { ListOrder, PageQuery } from "../../kernel/schema/Pagination.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import { Table, Where } from "../../kernel/storage/index.ts"
import { lockedByMember } from "../locks/tableLocks.ts"
import { type Role, RoleOrGuest, roles } from "../roles/Role.ts"
import { User, UserId, users } from "../users/User.ts"
import { type OrganizationId, type OrganizationRow, organizations } from "./Organization.ts"

/** A member of an organization. */
export class Member extends resource<Member>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("member"),
    /** The id of the user. */
    id: UserId,
    /** The role in the organization; null for a guest. */
    role: RoleOrGuest,
    /** The user. */
    user: User,
    /** Whether the membership is disabled. A disabled member has no access to the organization. */
    disabled: Schema.Boolean,
    /** When the user joined the organization. */
    joinedAt: Timestamp,
    /** When the member was last active; absent when they never were. */
    lastSeenAt: Schema.optionalKey(Timestamp),
    /** Whether the member logs in by single sign-on. */
    sso: Schema.Boolean,
    /** The number of spaces of the organization that the member can see. */
    spaces: Schema.Int,
    /** The number of teams of the organization that the member is in. */
    teams: Schema.Int
  }).annotate({ identifier: "Member" })
) {}

const memberColumns = {
  organization: Table.text<OrganizationId>(),
  user: Table.text<UserId>(),
  /** Orders members by when they joined. */
  id: Table.text(),
  /** Null for guests. */
  role: Table.nullable(Table.text<Role>()),
  disabled: Table.boolean(),
  sso: Table.boolean(),
  joinedAt: Table.text(),
  lastSeenAt: Table.nullable(Table.text()),
  /**
   * Whether `sso` is set only because the member has logged in by single sign-on. Then it counts for the tokens of these
   * logins; set by an administrator, it counts for all tokens of the member.
   */
  ssoLogin: Table.boolean(),
  /** Whether the organization requires single sign-on and only tokens of logins have access. */
  ssoMissing: Table.boolean(),
  /** The user's name and e-mail address, folded for search. */
  folded: Table.text()
}
/** A row of the table `members`. */
export interface MemberRow extends Table.RowOf<typeof memberColumns> {}

/**
 * The table of memberships. `ssoMissing` and `folded` are derived from the organization and the user: they are stored
 * here so that queries on members need no join.
 */
export const members: Table.ProtectedTable<"members", MemberRow, "organization" | "user"> =
  Table.makeProtected("members", {
    tenant: "organization",
    owner: "user",
    columns: memberColumns,
    locking: lockedByMember,
    key: ["organization", "user"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      user: { table: () => users, onRemove: "cascade" }
    },
    indexes: [
      ["user", "id"],
      ["organization", "id"],
      ["organization", "role", "id"],
      ["organization", "lastSeenAt"]
    ]
  })

/** The condition for members whom single sign-on does not deny access, at least by the token of a login. */
export const whereAdmittedBySso: Where.Where<MemberRow> = Where.or<MemberRow>(
  Where.eq("ssoMissing", false),
  Where.eq("sso", true)
)

/** Whether a member is denied access until a login by single sign-on. Organizations that require it deny other members. */
export const isSsoMissing = (
  { sso: isRequired }: Pick<OrganizationRow, "sso">,
  { sso, ssoLogin }: Pick<MemberRow, "sso" | "ssoLogin">
): boolean => isRequired && (!sso || ssoLogin)

/** The filter, order and page of a list of members. */
export class ListMembers extends resource<ListMembers>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** The direction of the order; `desc` by default. */
    order: Schema.optionalKey(ListOrder),
    /** Only members with this role in the organization. */
    role: Schema.optionalKey(Schema.Literals([...roles, "guest"])),
    /** Only members whose name or e-mail address contains this text, at most 255 characters. Ignores case. */
    search: Schema.optionalKey(text({ max: 255 })),
    /** The field to order by; `joinedAt` by default. `lastSeenAt` omits members who were never active. */
    sort: Schema.optionalKey(Schema.Literals(["joinedAt", "lastSeenAt"]))
  })
) {}

/** The fields to update on a membership. */
export class UpdateMember extends resource<UpdateMember>()(
  Schema.Struct({
    /** The role in the organization; null for guests. */
    role: RoleOrGuest
  }).annotate({ identifier: "UpdateMember" })
) {}

/** The result of a ping. */
export class MemberPing extends resource<MemberPing>()(
  Schema.Struct({
    /**
     * A JWT (HS256) for published sites, valid for one hour: `sub` and `id` are the user, `role` the role, `teams` the
     * ids of the teams, `aud` the organization. Absent when the organization has no visitor key.
     */
    serviceVisitorClaims: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "MemberPing" })
) {}
