/** The table `siteRedirects`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteId, SiteRedirectDestination, SiteRedirectId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { sites } from "./siteTable.ts"

const siteRedirectColumns = {
  id: Table.text<SiteRedirectId>(),
  organization: Table.text<OrganizationId>(),
  site: Table.text<SiteId>(),
  source: Table.text(),
  destination: Table.json<SiteRedirectDestination>(),
  draft: Table.boolean(),
  captureWildcard: Table.boolean(),
  permanent: Table.boolean(),
  /** An id that was generated at the last change, which sorts and dates it; the redirect's own if it has not changed. */
  changed: Table.text()
}

/** A stored redirect. */
export interface SiteRedirectRow extends Table.RowOf<typeof siteRedirectColumns> {}

/** The table of redirects. */
export const siteRedirects: Table.ProtectedTable<"siteRedirects", SiteRedirectRow, "id"> =
  Table.makeProtected("siteRedirects", {
    tenant: "organization",
    columns: siteRedirectColumns,
    locking: lockedByOrganization,
    key: ["id"],
    unique: [["site", "source", "draft"]],
    references: { site: { table: () => sites, onRemove: "cascade" } },
    indexes: [
      ["site", "id"],
      ["site", "changed"]
    ]
  })
