/** The table `shareLinks`. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { ShareLinkId, SiteId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { sites } from "./siteTable.ts"

const shareLinkColumns = {
  id: Table.text<ShareLinkId>(),
  organization: Table.text<OrganizationId>(),
  site: Table.text<SiteId>(),
  name: Table.text(),
  active: Table.boolean(),
  key: Table.text(),
  createdAt: Table.text()
}

/** A stored share link. */
export interface ShareLinkRow extends Table.RowOf<typeof shareLinkColumns> {}

/** The table of share links. */
export const shareLinks: Table.ProtectedTable<"shareLinks", ShareLinkRow, "id"> = Table.makeProtected(
  "shareLinks",
  {
    tenant: "organization",
    columns: shareLinkColumns,
    locking: lockedByOrganization,
    key: ["id"],
    unique: [["key"]],
    references: { site: { table: () => sites, onRemove: "cascade" } },
    indexes: [["site", "id"]]
  }
)
