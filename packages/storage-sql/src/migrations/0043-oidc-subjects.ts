/** Adds the links of accounts to users of providers of OpenID Connect. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { users } from "./0001-foundation.ts"

const { text } = Table

const oidcSubjects = Table.make("oidcSubjects", {
  columns: { provider: text(), subject: text(), user: text(), createdAt: text() },
  key: ["provider", "subject"],
  references: { user: { table: () => users, onRemove: "cascade" } },
  indexes: [["user"]]
})

/** Its number is its position in the list of migrations. */
export const oidcSubjectsMigration: Migration = {
  number: 30,
  name: "OpenID Connect subjects",
  changes: [createTable(oidcSubjects)]
}
