/** The table `siteSpaceCustomizations`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { CustomizationOverride, SiteId, SiteSpaceId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { siteSpaces } from "./siteSpaceTable.ts"

const siteSpaceCustomizationColumns = {
  organization: Table.text<OrganizationId>(),
  siteSpace: Table.text<SiteSpaceId>(),
  site: Table.text<SiteId>(),
  /** The values that differ from the customization of the site. None is null. */
  override: Table.json<CustomizationOverride>()
}

/** A row of the table `siteSpaceCustomizations`. */
export interface SiteSpaceCustomizationRow extends Table.RowOf<typeof siteSpaceCustomizationColumns> {}

/** The table of the site-spaces with a customization of their own. */
export const siteSpaceCustomizations: Table.ProtectedTable<
  "siteSpaceCustomizations",
  SiteSpaceCustomizationRow,
  "organization" | "siteSpace"
> = Table.makeProtected("siteSpaceCustomizations", {
  tenant: "organization",
  columns: siteSpaceCustomizationColumns,
  locking: lockedByOrganization,
  key: ["organization", "siteSpace"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    siteSpace: { table: () => siteSpaces, onRemove: "cascade" }
  },
  indexes: [["siteSpace"], ["organization", "site"]]
})
