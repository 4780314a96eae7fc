/** The tables `siteSectionGroups` and `siteSections`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteId, SiteSectionGroupId, SiteSectionId, SiteSpaceId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { sites } from "./siteTable.ts"

const siteSectionGroupColumns = {
  id: Table.text<SiteSectionGroupId>(),
  organization: Table.text<OrganizationId>(),
  site: Table.text<SiteId>(),
  position: Table.text(),
  title: Table.text(),
  icon: Table.nullable(Table.text())
}

/** A stored section group. */
export interface SiteSectionGroupRow extends Table.RowOf<typeof siteSectionGroupColumns> {}

/** The table of section groups. `position` orders the groups and sections of the top level. */
export const siteSectionGroups: Table.ProtectedTable<"siteSectionGroups", SiteSectionGroupRow, "id"> =
  Table.makeProtected("siteSectionGroups", {
    tenant: "organization",
    columns: siteSectionGroupColumns,
    locking: lockedByOrganization,
    key: ["id"],
    references: { site: { table: () => sites, onRemove: "cascade" } },
    indexes: [["site", "position"]]
  })

const siteSectionColumns = {
  id: Table.text<SiteSectionId>(),
  organization: Table.text<OrganizationId>(),
  site: Table.text<SiteId>(),
  sectionGroup: Table.nullable(Table.text<SiteSectionGroupId>()),
  position: Table.text(),
  title: Table.text(),
  description: Table.nullable(Table.text()),
  path: Table.text(),
  condition: Table.nullable(Table.text()),
  icon: Table.nullable(Table.text()),
  defaultSiteSpace: Table.nullable(Table.text<SiteSpaceId>())
}

/** A stored section. */
export interface SiteSectionRow extends Table.RowOf<typeof siteSectionColumns> {}

/** The table of sections. `position` orders the sections of a group, or the groups and sections of the top level. */
export const siteSections: Table.ProtectedTable<"siteSections", SiteSectionRow, "id"> = Table.makeProtected(
  "siteSections",
  {
    tenant: "organization",
    columns: siteSectionColumns,
    locking: lockedByOrganization,
    key: ["id"],
    unique: [["site", "path"]],
    references: {
      site: { table: () => sites, onRemove: "cascade" },
      sectionGroup: { table: () => siteSectionGroups, onRemove: "restrict" }
    },
    indexes: [["site", "position"], ["sectionGroup"]]
  }
)
