/** API tokens: what a program shows to act as a user. */

import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"
import { type UserId, users } from "../users/User.ts"

export const ApiTokenId = idSchema("The id of an API token.").pipe(Schema.brand("ApiTokenId"))
export type ApiTokenId = typeof ApiTokenId.Type

/** Where tokens are kept: of the secret only its digest. */
export const apiTokens = Table.make("apiTokens", {
  columns: {
    id: Table.text<ApiTokenId>(),
    user: Table.text<UserId>(),
    /** The only organization that it opens; null for all of the user's. */
    organization: Table.nullable(Table.text<OrganizationId>()),
    /** What its maker calls it. */
    label: Table.text(),
    /** SHA-256 of the secret, in hexadecimal. */
    digest: Table.text(),
    createdAt: Table.text(),
    expiresAt: Table.nullable(Table.text()),
    lastUsedAt: Table.nullable(Table.text()),
    revokedAt: Table.nullable(Table.text())
  },
  key: ["id"],
  unique: [["digest"]],
  references: {
    user: { table: () => users, onRemove: "cascade" },
    organization: { table: () => organizations, onRemove: "cascade" }
  },
  indexes: [["user", "id"], ["organization"]]
})
export type ApiTokenRow = Table.Row<typeof apiTokens>
