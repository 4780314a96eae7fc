/** The table `oidcSubjects`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { users } from "../users/userTable.ts"

const subjectColumns = {
  /** The id of the provider: of the settings, or of a provider of the organization. */
  provider: Table.text(),
  /** The subject of the ID token, which identifies the user at the provider. */
  subject: Table.text(),
  user: Table.text<UserId>(),
  /** The organization of the provider; null for a provider of the instance. */
  organization: Table.nullable(Table.text<OrganizationId>()),
  createdAt: Table.text()
}

/** A row of the table `oidcSubjects`. */
export interface OidcSubjectRow extends Table.RowOf<typeof subjectColumns> {}

/** The links of accounts to users of providers of OpenID Connect. */
export const oidcSubjects: Table.ProtectedTable<"oidcSubjects", OidcSubjectRow, "provider" | "subject"> =
  Table.makeProtected("oidcSubjects", {
    tenant: null,
    owner: "user",
    columns: subjectColumns,
    locking: Table.withoutLocks,
    key: ["provider", "subject"],
    references: {
      user: { table: () => users, onRemove: "cascade" },
      organization: { table: () => organizations, onRemove: "cascade" }
    },
    indexes: [["user"], ["organization"]]
  })
