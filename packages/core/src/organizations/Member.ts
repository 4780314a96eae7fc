/** A user's membership in an organization. */
import type { Role } from "../access/Role.ts"
import { Table } from "../storage/index.ts"
import { type OrganizationId, organizations } from "./Organization.ts"
import { type UserId, users } from "./User.ts"

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
