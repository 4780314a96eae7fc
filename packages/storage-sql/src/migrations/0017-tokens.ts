/** Adds the scopes of API tokens, the bounds of invite links, and the logins of members. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, addUnique } from "../SchemaChange.ts"
import { sitesTable } from "./0005-sites.ts"

const { boolean, integer, json, nullable, text } = Table

export const tokensMigration: Migration = {
  number: 17,
  name: "tokens",
  changes: [
    addColumn("apiTokens", "readOnly", boolean(), { backfill: false }),
    addColumn("apiTokens", "permissions", nullable(json())),
    addColumn("apiTokens", "site", nullable(text()), {
      reference: { table: () => sitesTable, onRemove: "cascade" }
    }),
    addColumn("apiTokens", "samlProvider", nullable(text())),
    addColumn("apiTokens", "excluded", text(), { backfill: "\n" }),
    addColumn("apiTokens", "rotatedAt", nullable(text())),
    addColumn("apiTokens", "formerDigest", nullable(text())),
    addColumn("apiTokens", "formerExpiresAt", nullable(text())),
    addUnique("apiTokens", ["formerDigest"]),
    addIndex("apiTokens", ["site", "id"]),
    addIndex("apiTokens", ["samlProvider", "id"]),
    addColumn("invites", "expiresAt", nullable(text())),
    addColumn("invites", "maximumUses", nullable(integer())),
    addColumn("invites", "uses", integer(), { backfill: 0 }),
    addColumn("members", "ssoLogin", boolean(), { backfill: false })
  ]
}
