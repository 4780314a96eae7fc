/** The table `siteScripts`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { ConsentCategory, ScriptOrigins, ScriptSource, SiteId, SiteScriptId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { sites } from "./siteTable.ts"

const siteScriptColumns = {
  organization: Table.text<OrganizationId>(),
  id: Table.text<SiteScriptId>(),
  site: Table.text<SiteId>(),
  name: Table.text(),
  source: Table.json<ScriptSource>(),
  categories: Table.json<ReadonlyArray<ConsentCategory>>(),
  origins: Table.json<ScriptOrigins>(),
  enabled: Table.boolean()
}

/** A stored script of a site. */
export interface SiteScriptRow extends Table.RowOf<typeof siteScriptColumns> {}

/** The table of the scripts of sites. */
export const siteScripts: Table.ProtectedTable<"siteScripts", SiteScriptRow, "organization" | "id"> =
  Table.makeProtected("siteScripts", {
    tenant: "organization",
    columns: siteScriptColumns,
    locking: lockedByOrganization,
    key: ["organization", "id"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      site: { table: () => sites, onRemove: "cascade" }
    },
    indexes: [["site", "id"]]
  })
