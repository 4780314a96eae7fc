/** The table `siteSpaces`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteId, SiteSectionId, SiteSpaceId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { siteSections } from "./siteSectionTables.ts"
import { sites } from "./siteTable.ts"

const siteSpaceColumns = {
  id: Table.text<SiteSpaceId>(),
  organization: Table.text<OrganizationId>(),
  site: Table.text<SiteId>(),
  section: Table.nullable(Table.text<SiteSectionId>()),
  space: Table.text<SpaceId>(),
  position: Table.text(),
  path: Table.text(),
  condition: Table.nullable(Table.text())
}

/** A stored site-space. */
export interface SiteSpaceRow extends Table.RowOf<typeof siteSpaceColumns> {}

/** The table of site-spaces; `section` is null at the root. */
export const siteSpaces: Table.ProtectedTable<"siteSpaces", SiteSpaceRow, "id"> = Table.makeProtected(
  "siteSpaces",
  {
    tenant: "organization",
    columns: siteSpaceColumns,
    locking: lockedByOrganization,
    key: ["id"],
    unique: [["site", "space"]],
    references: {
      site: { table: () => sites, onRemove: "cascade" },
      section: { table: () => siteSections, onRemove: "cascade" },
      space: { table: () => spaces, onRemove: "cascade" }
    },
    indexes: [["site", "position"], ["section"], ["space"]]
  }
)
