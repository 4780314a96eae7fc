/** The former places of pages, from which old URLs are redirected. */

import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import { Table } from "../../storage/index.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"

const pageMoveColumns = {
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  parent: Table.text<PageId | "">(),
  slug: Table.text(),
  page: Table.text<PageId>()
}
/** A former place of a page: below a parent, with a slug. */
export interface PageMoveRow extends Table.RowOf<typeof pageMoveColumns> {}

/**
 * The places that pages of the primary content have left, each with the last page that left it. Paths are resolved segment
 * by segment, so one row redirects the URLs of all pages below the moved page.
 */
export const pageMoves: Table.ProtectedTable<"pageMoves", PageMoveRow, "space" | "parent" | "slug"> =
  Table.makeProtected("pageMoves", {
    tenant: "organization",
    columns: pageMoveColumns,
    locking: lockedBySpace,
    key: ["space", "parent", "slug"],
    references: { space: { table: () => spaces, onRemove: "cascade" } }
  })
