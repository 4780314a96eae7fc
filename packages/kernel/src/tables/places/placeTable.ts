/** The table `places`. */

import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { PlaceKind } from "@lectern/model/places"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { users } from "../users/userTable.ts"

const placeColumns = {
  organization: Table.text<OrganizationId>(),
  user: Table.text<UserId>(),
  kind: Table.text<PlaceKind>(),
  space: Table.text<SpaceId>(),
  /** The page; empty for the space itself, because columns of a key are never null. */
  page: Table.text<PageId | "">(),
  at: Table.text()
}

/** A row of the table `places`. */
export interface PlaceRow extends Table.RowOf<typeof placeColumns> {}

/** The table of the favorites and recent pages of users. */
export const places: Table.ProtectedTable<
  "places",
  PlaceRow,
  "organization" | "user" | "kind" | "space" | "page"
> = Table.makeProtected("places", {
  tenant: "organization",
  columns: placeColumns,
  locking: Table.withoutLocks,
  key: ["organization", "user", "kind", "space", "page"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" }
  },
  indexes: [["organization", "user", "kind", "at"], ["user"], ["space"]]
})
