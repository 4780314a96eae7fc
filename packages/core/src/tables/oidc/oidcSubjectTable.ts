/** The table `oidcSubjects`. */

import type { UserId } from "@lectern/model/users"
import { Table } from "../../kernel/storage/index.ts"
import { users } from "../users/userTable.ts"

const subjectColumns = {
  /** The id of the provider, as the operator has configured it. */
  provider: Table.text(),
  /** The subject of the ID token, which identifies the user at the provider. */
  subject: Table.text(),
  user: Table.text<UserId>(),
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
    references: { user: { table: () => users, onRemove: "cascade" } },
    indexes: [["user"]]
  })
