/** The table `archivedPages`. */

import type { PageId, PageType, RevisionId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import { Table } from "../../storage/index.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"

const archivedPageColumns = {
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  page: Table.text<PageId>(),
  type: Table.text<typeof PageType.Type>(),
  title: Table.text(),
  revision: Table.text<RevisionId>(),
  archivedAt: Table.text()
}

/** A row of the table `archivedPages`. */
export interface ArchivedPageRow extends Table.RowOf<typeof archivedPageColumns> {}

/** The table of pages that were deleted from the primary content, each with the last revision that has it. */
export const archivedPages: Table.ProtectedTable<"archivedPages", ArchivedPageRow, "space" | "page"> =
  Table.makeProtected("archivedPages", {
    tenant: "organization",
    columns: archivedPageColumns,
    locking: lockedBySpace,
    key: ["space", "page"],
    references: { space: { table: () => spaces, onRemove: "cascade" } },
    indexes: [["space", "archivedAt"]]
  })
