/** The tables `integrations` and `integrationAssets`. */

import type { IntegrationName, IntegrationVisibility, Manifest } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import { Table } from "../../storage/index.ts"
import { lockedByIntegration } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const integrationColumns = {
  id: Table.text(),
  name: Table.text<IntegrationName>(),
  organization: Table.text<OrganizationId>(),
  version: Table.integer(),
  runtime: Table.text<"v1" | "v2">(),
  visibility: Table.text<typeof IntegrationVisibility.Type>(),
  manifest: Table.json<Manifest>(),
  folded: Table.text(),
  categories: Table.text(),
  scopes: Table.text(),
  blockDomains: Table.text(),
  hasBlocks: Table.boolean(),
  hasContentSources: Table.boolean(),
  icon: Table.nullable(Table.text()),
  previewImages: Table.json<ReadonlyArray<string>>(),
  /** Encrypted values by name. */
  secrets: Table.json<{ readonly [name: string]: string }>(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `integrations`. */
export interface IntegrationRow extends Table.RowOf<typeof integrationColumns> {}

/**
 * The table of integrations. Columns that lists filter by are derived from the manifest; sets are encoded by
 * `textSet.ts`.
 */
export const integrations: Table.ProtectedTable<"integrations", IntegrationRow, "id"> = Table.makeProtected(
  "integrations",
  {
    tenant: "organization",
    columns: integrationColumns,
    locking: lockedByIntegration,
    key: ["id"],
    unique: [["name"]],
    references: { organization: { table: () => organizations, onRemove: "cascade" } },
    indexes: [
      ["organization", "id"],
      ["visibility", "id"]
    ]
  }
)

const integrationAssetColumns = {
  organization: Table.text<OrganizationId>(),
  integration: Table.text(),
  hash: Table.text(),
  kind: Table.text<"image" | "script">(),
  contentType: Table.text(),
  bytes: Table.bytes()
}

interface IntegrationAssetRow extends Table.RowOf<typeof integrationAssetColumns> {}

/** The table of the images and scripts of integrations, by their SHA-256 digests. */
export const integrationAssets: Table.ProtectedTable<
  "integrationAssets",
  IntegrationAssetRow,
  "integration" | "hash"
> = Table.makeProtected("integrationAssets", {
  tenant: "organization",
  columns: integrationAssetColumns,
  locking: lockedByIntegration,
  key: ["integration", "hash"],
  references: { integration: { table: () => integrations, onRemove: "cascade" } }
})
