/** A user's membership in an organization. */
import { Schema } from "effect"
import { type Role, RoleOrGuest } from "../access/Role.ts"
import { Timestamp } from "../shared/Text.ts"
import { Table } from "../storage/index.ts"
import { type OrganizationId, organizations } from "./Organization.ts"
import { User, UserId, users } from "./User.ts"

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
 * `lastSeenAt` is null until the member first comes.
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
    lastSeenAt: Table.nullable(Table.text())
  },
  key: ["organization", "user"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [
    ["user", "id"],
    ["organization", "id"]
  ]
})
export type MemberRow = Table.Row<typeof members>
