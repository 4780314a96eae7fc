/** The table of site settings: customization, adaptive schema and visitor authentication. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { AdaptiveJsonSchema, Customization, SiteId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { sites } from "./siteTable.ts"

const siteSettingColumns = {
  organization: Table.text<OrganizationId>(),
  site: Table.text<SiteId>(),
  customization: Table.nullable(Table.json<Customization>()),
  adaptiveSchema: Table.nullable(
    Table.json<{ readonly jsonSchema: AdaptiveJsonSchema; readonly updatedAt: string }>()
  ),
  /** Encrypted. Rows of versions before it was encrypted contain the key itself. */
  privateKey: Table.text(),
  fallbackURL: Table.nullable(Table.text())
}
/** Returns the place of the private key of a site, which its encryption authenticates. */
export const privateKeyPlace = (site: string): string => `site ${site} privateKey`

/** The stored settings of a site. */
export interface SiteSettingsRow extends Table.RowOf<typeof siteSettingColumns> {}

/** The table of site settings: one row per site. */
export const siteSettings: Table.ProtectedTable<"siteSettings", SiteSettingsRow, "site"> =
  Table.makeProtected("siteSettings", {
    tenant: "organization",
    columns: siteSettingColumns,
    locking: lockedByOrganization,
    key: ["site"],
    references: { site: { table: () => sites, onRemove: "cascade" } }
  })
