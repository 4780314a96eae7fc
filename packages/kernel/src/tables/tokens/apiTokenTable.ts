/** The table `apiTokens`. */

import type { InstallationId } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import type { IdentityProviderId } from "@lectern/model/sessions"
import type { SiteId } from "@lectern/model/sites"
import type { ApiTokenId } from "@lectern/model/tokens"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { installations } from "../integrations/installationTable.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { sites } from "../sites/siteTable.ts"
import { users } from "../users/userTable.ts"

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
  revokedAt: Table.nullable(Table.text()),
  /** When the secret was last replaced; null if it never was. */
  rotatedAt: Table.nullable(Table.text()),
  /** The digest of the former secret, which is valid until `formerExpiresAt`; null if it is not set. */
  formerDigest: Table.nullable(Table.text()),
  formerExpiresAt: Table.nullable(Table.text()),
  /** The lifetime that a rotation starts again, in milliseconds; null if a rotation keeps the end. */
  renewalMillis: Table.nullable(Table.integer()),
  /** Whether it is limited to queries. */
  readOnly: Table.boolean(),
  /** The permissions that it is limited to; null for all of the user's. */
  permissions: Table.nullable(Table.json<ReadonlyArray<string>>()),
  /** The site that it is limited to; null for none. */
  site: Table.nullable(Table.text<SiteId>()),
  /** The SAML or OpenID Connect provider whose login issued it, or the token that it was created with; null for none. */
  samlProvider: Table.nullable(Table.text<IdentityProviderId>()),
  /** The installation of an integration whose token it is; `permissions` are its scopes. Null for tokens of users. */
  installation: Table.nullable(Table.text<InstallationId>()),
  /** The id of the program of others that the token represents an authorization of; its secret is not disclosed. Null for other tokens. */
  program: Table.nullable(Table.text()),
  /** The organizations whose administrators have revoked its access, encoded as in `storage/textSet.ts`. */
  excluded: Table.text()
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
    unique: [["digest"], ["formerDigest"]],
    references: {
      user: { table: () => users, onRemove: "cascade" },
      organization: { table: () => organizations, onRemove: "cascade" },
      site: { table: () => sites, onRemove: "cascade" },
      installation: { table: () => installations, onRemove: "cascade" }
    },
    indexes: [["user", "id"], ["organization"], ["site"], ["samlProvider"], ["installation"]]
  }
)
