/** The tables `samlProviders` and `samlAnswers`. */

import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type { Role } from "@lectern/model/roles"
import type { SamlProviderId } from "@lectern/model/saml"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const samlProviderColumns = {
  id: Table.text<SamlProviderId>(),
  organization: Table.text<OrganizationId>(),
  label: Table.text(),
  entityID: Table.nullable(Table.text()),
  certificate: Table.nullable(Table.text()),
  ssoURL: Table.nullable(Table.text()),
  defaultTeam: Table.nullable(Table.text<TeamId>()),
  defaultRole: Table.nullable(Table.text<Role>()),
  /** Derived from `entityID`, `certificate` and `ssoURL`. */
  isActive: Table.boolean(),
  createdAt: Table.text()
}

/** A row of the table `samlProviders`. */
export interface SamlProviderRow extends Table.RowOf<typeof samlProviderColumns> {}

/** The table of SAML providers. */
export const samlProviders: Table.ProtectedTable<"samlProviders", SamlProviderRow, "id"> =
  Table.makeProtected("samlProviders", {
    tenant: "organization",
    columns: samlProviderColumns,
    locking: lockedByOrganization,
    key: ["id"],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [["organization", "id"], ["defaultTeam"]]
  })

const samlResponseColumns = {
  organization: Table.text<OrganizationId>(),
  provider: Table.text<SamlProviderId>(),
  /** The id of the SAML request. */
  question: Table.text(),
  expiresAt: Table.text()
}

interface SamlResponseRow extends Table.RowOf<typeof samlResponseColumns> {}

/** The SAML requests whose response was used, until they expire: a replayed response is rejected. */
export const samlAnswers: Table.ProtectedTable<"samlAnswers", SamlResponseRow, "provider" | "question"> =
  Table.makeProtected("samlAnswers", {
    tenant: "organization",
    columns: samlResponseColumns,
    locking: lockedByOrganization,
    key: ["provider", "question"],
    references: { provider: { table: () => samlProviders, onRemove: "cascade" } },
    indexes: [["provider", "expiresAt"]]
  })
