/** The table `sites`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type {
  AgentsContext,
  SiteId,
  SiteSectionId,
  SiteSpaceId,
  SiteType,
  SiteVisibility,
  ThemedUrl
} from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const siteColumns = {
  id: Table.text<SiteId>(),
  organization: Table.text<OrganizationId>(),
  type: Table.text<typeof SiteType.Type>(),
  title: Table.text(),
  /** The case-folded title, which searches match. */
  folded: Table.text(),
  icon: Table.nullable(Table.json<{ readonly icon: typeof ThemedUrl.Type }>()),
  basename: Table.nullable(Table.text()),
  /** The URL of the site outside of the workspace, without its scheme: a host name, which paths can follow. */
  proxy: Table.nullable(Table.text()),
  /** The value of `proxy`, if it is a host name without a path. No other site has it. */
  hostname: Table.nullable(Table.text()),
  visibility: Table.text<SiteVisibility>(),
  published: Table.boolean(),
  adaptive: Table.boolean(),
  agentsContext: Table.text<typeof AgentsContext.Type>(),
  defaultSection: Table.nullable(Table.text<SiteSectionId>()),
  /** The default site-space at the root. */
  defaultSiteSpace: Table.nullable(Table.text<SiteSpaceId>()),
  createdAt: Table.text()
}

/** A stored site. */
export interface SiteRow extends Table.RowOf<typeof siteColumns> {}

/** The table of sites. */
export const sites: Table.ProtectedTable<"sites", SiteRow, "id"> = Table.makeProtected("sites", {
  tenant: "organization",
  columns: siteColumns,
  locking: lockedByOrganization,
  key: ["id"],
  unique: [["organization", "basename"], ["hostname"]],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"], ["proxy"]]
})
