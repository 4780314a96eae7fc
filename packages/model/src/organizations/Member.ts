/** Members: the membership of a user in an organization. */
import * as Schema from "effect/Schema"
import { RoleOrGuest, roles } from "../roles/Role.ts"
import { ListOrder, PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { User, UserId } from "../users/User.ts"

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
    /** The number of sites of the organization that the member can see in the application. */
    sites: Schema.Int,
    /** The number of teams of the organization that the member is in. */
    teams: Schema.Int
  }).annotate({ identifier: "Member" })
) {}

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
    sort: Schema.optionalKey(Schema.Literals(["joinedAt", "lastSeenAt", "name"]))
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
