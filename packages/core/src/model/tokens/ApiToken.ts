/** API tokens: the credentials of programs that act as a user. */

import { type Brand, type Redacted, Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { IsoDateTime, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { OrganizationId, organizations } from "../organizations/Organization.ts"
import { UserId, users } from "../users/User.ts"

/** The id of an API token. */
export const ApiTokenId = idSchema("The id of an API token.").pipe(Schema.brand("ApiTokenId"))
/** The id of an API token. */
export type ApiTokenId = string & Brand.Brand<"ApiTokenId">

/** An API token, without its secret. */
export interface ApiToken {
  /** The id of the token. */
  readonly id: ApiTokenId
  /** The user whom the token authenticates. */
  readonly user: UserId
  /** The organization that the token is limited to; absent when it opens all organizations of the user. */
  readonly organization?: OrganizationId
  /** The purpose of the token. */
  readonly label: string
  /** When the token was created. */
  readonly createdAt: string
  /** When the token expires; absent when it does not. */
  readonly expiresAt?: string
  /** When the token was last used, to the minute; absent when it never was. */
  readonly lastUsedAt?: string
  /** When the token was revoked; absent when it was not. */
  readonly revokedAt?: string
}

/** A new API token, with its secret. */
export interface CreatedApiToken {
  /** The token. */
  readonly token: ApiToken
  /** The secret that authenticates the user. Only its digest is stored, so it cannot be read again. */
  readonly secret: Redacted.Redacted<string>
}

/** The fields of a new API token. */
export class CreateApiToken extends resource<CreateApiToken>()(
  Schema.Struct({
    /** The user whom the token authenticates. */
    user: UserId,
    /** The organization that the token is limited to; all organizations of the user by default. */
    organization: Schema.optionalKey(OrganizationId),
    /** The purpose of the token, 1 to 100 characters. Leading and trailing whitespace is removed. */
    label: trimmed({ min: 1, max: 100 }),
    /** When the token expires; never by default. */
    expiresAt: Schema.optionalKey(IsoDateTime),
    /** The secret, at least 32 characters; a generated one by default. */
    secret: Schema.optionalKey(
      Schema.Redacted(
        Schema.String.check(Schema.isMinLength(32, { message: "must have at least 32 characters" }))
      )
    )
  })
) {}

const apiTokenColumns = {
  id: Table.text<ApiTokenId>(),
  user: Table.text<UserId>(),
  /** The organization that the token is limited to; null for all organizations of the user. */
  organization: Table.nullable(Table.text<OrganizationId>()),
  label: Table.text(),
  /** SHA-256 of the secret, in hexadecimal. */
  digest: Table.text(),
  createdAt: Table.text(),
  expiresAt: Table.nullable(Table.text()),
  lastUsedAt: Table.nullable(Table.text()),
  revokedAt: Table.nullable(Table.text())
}
/** A row of the table `apiTokens`. */
export interface ApiTokenRow extends Table.RowOf<typeof apiTokenColumns> {}

/** The table of API tokens. */
export const apiTokens: Table.ProtectedTable<"apiTokens", ApiTokenRow, "id"> = Table.makeProtected(
  "apiTokens",
  {
    tenant: null,
    owner: "user",
    columns: apiTokenColumns,
    locking: Table.withoutLocks,
    key: ["id"],
    unique: [["digest"]],
    references: {
      user: { table: () => users, onRemove: "cascade" },
      organization: { table: () => organizations, onRemove: "cascade" }
    },
    indexes: [["user", "id"], ["organization"]]
  }
)
