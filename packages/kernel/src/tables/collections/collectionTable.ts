/** The table `collections`. */

import type { CollectionId } from "@lectern/model/collections"
import type { OrganizationId } from "@lectern/model/organizations"
import type { DefaultLevel } from "@lectern/model/roles"
import { Table } from "../../storage/index.ts"
import { lockedByOrganization } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const collectionColumns = {
  id: Table.text<CollectionId>(),
  organization: Table.text<OrganizationId>(),
  title: Table.text(),
  description: Table.nullable(Table.text()),
  parent: Table.nullable(Table.text<CollectionId>()),
  position: Table.text(),
  path: Table.text(),
  defaultLevel: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
  level: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
  createdAt: Table.text()
}

/** A row of the table `collections`. */
export interface CollectionRow extends Table.RowOf<typeof collectionColumns> {}

/**
 * The table of collections. `path` and `level` are derived from the collection and its ancestors (`Placement.ts`);
 * they are stored so that access checks need not traverse the tree.
 */
export const collections: Table.ProtectedTable<"collections", CollectionRow, "id"> = Table.makeProtected(
  "collections",
  {
    tenant: "organization",
    columns: collectionColumns,
    locking: lockedByOrganization,
    key: ["id"],
    references: {
      organization: { table: () => organizations, onRemove: "cascade" },
      parent: { table: (): Table.AnyTable => collections, onRemove: "restrict" }
    },
    indexes: [
      ["organization", "id"],
      ["organization", "parent", "position"],
      ["organization", "path"],
      ["parent", "position"]
    ]
  }
)
