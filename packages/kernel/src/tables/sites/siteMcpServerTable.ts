/** The table `siteMcpServers`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteId, SiteMcpServer, SiteMcpServerId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { sites } from "./siteTable.ts"

const siteMcpServerColumns = {
  organization: Table.text<OrganizationId>(),
  id: Table.text<SiteMcpServerId>(),
  site: Table.text<SiteId>(),
  name: Table.text(),
  url: Table.text(),
  transport: Table.text<SiteMcpServer["transport"]>(),
  /** Encrypted values by name. */
  headers: Table.json<Readonly<Record<string, string>>>()
}

/** A stored MCP server of a site. */
export interface SiteMcpServerRow extends Table.RowOf<typeof siteMcpServerColumns> {}

/** The place of a header, which its encryption authenticates. */
export const mcpHeaderPlace = (id: string, name: string): string => `site MCP server ${id} ${name}`

/** The table of the MCP servers of sites. */
export const siteMcpServers: Table.ProtectedTable<"siteMcpServers", SiteMcpServerRow, "organization" | "id"> =
  Table.makeProtected("siteMcpServers", {
    tenant: "organization",
    columns: siteMcpServerColumns,
    locking: lockedByOrganization,
    key: ["organization", "id"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      site: { table: () => sites, onRemove: "cascade" }
    },
    indexes: [["site", "id"]]
  })
