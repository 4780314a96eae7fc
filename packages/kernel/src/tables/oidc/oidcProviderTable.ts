/** The table `oidcProviders`. */

import type { OidcGroup, OidcProviderId } from "@lectern/model/oidc"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type { Role } from "@lectern/model/roles"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const oidcProviderColumns = {
  organization: Table.text<OrganizationId>(),
  id: Table.text<OidcProviderId>(),
  label: Table.text(),
  issuer: Table.nullable(Table.text()),
  clientID: Table.nullable(Table.text()),
  /** Encrypted: see {@link clientSecretPlace}. Null for a public client. */
  clientSecret: Table.nullable(Table.text()),
  domains: Table.json<ReadonlyArray<string>>(),
  /** Null for the default. */
  groupsClaim: Table.nullable(Table.text()),
  groups: Table.json<ReadonlyArray<OidcGroup>>(),
  defaultTeam: Table.nullable(Table.text<TeamId>()),
  defaultRole: Table.nullable(Table.text<Role>()),
  createdAt: Table.text()
}

/** A row of the table `oidcProviders`. */
export interface OidcProviderRow extends Table.RowOf<typeof oidcProviderColumns> {}

/** The table of OpenID Connect providers of organizations. */
export const oidcProviders: Table.ProtectedTable<"oidcProviders", OidcProviderRow, "organization" | "id"> =
  Table.makeProtected("oidcProviders", {
    tenant: "organization",
    columns: oidcProviderColumns,
    locking: lockedByOrganization,
    key: ["organization", "id"],
    // URLs of logins name a provider only.
    unique: [["id"]],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [["defaultTeam"]]
  })

/** The place of the secret of a provider, which its encryption authenticates. */
export const clientSecretPlace = (provider: string): string => `oidc provider ${provider}`

/** Whether users can log in by a provider. */
export const isActiveOidcProvider = ({
  issuer,
  clientID
}: Pick<OidcProviderRow, "issuer" | "clientID">): boolean => issuer !== null && clientID !== null
