/** API tokens: what a program shows to act as a user. */

import { Schema } from "effect"
import { type UserId, users } from "../organizations/User.ts"
import * as Id from "../shared/Id.ts"
import { Table } from "../storage/index.ts"

export const ApiTokenId = Id.schema("The id of an API token.").pipe(Schema.brand("ApiTokenId"))
export type ApiTokenId = typeof ApiTokenId.Type

/** Where tokens are kept: of the secret only its digest. */
export const apiTokens = Table.make("apiTokens", {
  columns: {
    id: Table.text<ApiTokenId>(),
    user: Table.text<UserId>(),
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
  references: { user: { table: () => users, onRemove: "cascade" } },
  indexes: [["user", "id"]]
})
export type ApiTokenRow = Table.Row<typeof apiTokens>
