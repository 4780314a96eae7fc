/** A user's membership in an organization. */
import { Schema } from "effect"
import { ListOrder, PageQuery } from "../../kernel/schema/Pagination.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type Role, RoleOrGuest, roles } from "../roles/Role.ts"
import { User, UserId, users } from "../users/User.ts"
import { type OrganizationId, organizations } from "./Organization.ts"

/** A member of an organization, as the specification shows one. The id is that of the user. */
export const Member = Schema.Struct({
  object: Schema.Literal("member"),
  id: UserId,
  role: RoleOrGuest,
  user: User,
  disabled: Schema.Boolean,
  joinedAt: Timestamp,
  lastSeenAt: Schema.optionalKey(Timestamp),
  sso: Schema.Boolean,
  spaces: Schema.Int.annotate({ description: "How many spaces of the organization the member can see." }),
  teams: Schema.Int.annotate({ description: "How many teams of the organization the member is in." })
}).annotate({ identifier: "Member" })
export type Member = typeof Member.Type

/**
 * Where memberships are kept. A null role is a guest. `id` only orders them, by when they were made;
 * `lastSeenAt` is null until the member first comes. `ssoMissing` and `folded` follow from the organization and from
 * the user; they are kept so that no question about a member has to ask there.
 */
export const members = Table.make("members", {
  columns: {
    organization: Table.text<OrganizationId>(),
    user: Table.text<UserId>(),
    id: Table.text(),
    role: Table.nullable(Table.text<Role>()),
    disabled: Table.boolean(),
    sso: Table.boolean(),
    joinedAt: Table.text(),
    lastSeenAt: Table.nullable(Table.text()),
    /** Whether the organization asks for single sign-on, and the member has not come by it. */
    ssoMissing: Table.boolean(),
    /** The user's name and address, folded: what a search looks through. */
    folded: Table.text()
  },
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
export type MemberRow = Table.Row<typeof members>

/** What a list of members asks for. */
export const ListMembers = Schema.Struct({
  ...PageQuery.fields,
  order: Schema.optionalKey(ListOrder),
  /** Only members of this role in the organization. */
  role: Schema.optionalKey(Schema.Literals([...roles, "guest"])),
  /** Only those whose name or address has this in it, in whatever case. */
  search: Schema.optionalKey(text({ max: 255 })),
  /** `joinedAt` by default. By `lastSeenAt`, only those who have come are listed. */
  sort: Schema.optionalKey(Schema.Literals(["joinedAt", "lastSeenAt"]))
})

/** What can be changed of a membership. */
export const UpdateMember = Schema.Struct({ role: RoleOrGuest })
