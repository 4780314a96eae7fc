/** The table `siteExternalLinks`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteExternalLinkId, SiteId, SiteSectionGroupId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { siteSectionGroups } from "./siteSectionTables.ts"
import { sites } from "./siteTable.ts"

const siteExternalLinkColumns = {
  organization: Table.text<OrganizationId>(),
  id: Table.text<SiteExternalLinkId>(),
  site: Table.text<SiteId>(),
  sectionGroup: Table.nullable(Table.text<SiteSectionGroupId>()),
  position: Table.text(),
  title: Table.text(),
  description: Table.nullable(Table.text()),
  url: Table.text(),
  icon: Table.nullable(Table.text()),
  condition: Table.nullable(Table.text()),
  draft: Table.boolean()
}

/** A stored link to another website in the structure of a site. */
export interface SiteExternalLinkRow extends Table.RowOf<typeof siteExternalLinkColumns> {}

/**
 * The table of links to other websites in the structures of sites. `position` orders them among the sections of their group, or
 * among the items of the top level.
 */
export const siteExternalLinks: Table.ProtectedTable<
  "siteExternalLinks",
  SiteExternalLinkRow,
  "organization" | "id"
> = Table.makeProtected("siteExternalLinks", {
  tenant: "organization",
  columns: siteExternalLinkColumns,
  locking: lockedByOrganization,
  key: ["organization", "id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    site: { table: () => sites, onRemove: "cascade" },
    sectionGroup: { table: () => siteSectionGroups, onRemove: "restrict" }
  },
  indexes: [["site"], ["sectionGroup"]]
})
