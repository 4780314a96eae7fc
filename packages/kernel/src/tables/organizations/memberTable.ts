/** The table `members`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { Role } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { Table, Where } from "../../storage/index.ts"
import { lockedByMember } from "../locks/tableLocks.ts"
import { users } from "../users/userTable.ts"
import { type OrganizationRow, organizations } from "./organizationTables.ts"

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
  /** Whether the organization requires a second factor. */
  secondFactor: Table.boolean(),
  /** The user's name and e-mail address, folded for search. */
  folded: Table.text()
}

/** A row of the table `members`. */
export interface MemberRow extends Table.RowOf<typeof memberColumns> {}

/**
 * The table of memberships. `ssoMissing`, `secondFactor` and `folded` are derived from the organization and the user: they are stored
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
