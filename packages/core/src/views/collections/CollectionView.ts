/** Converts rows of collections to resources. */

import type { CollectionRow } from "@lectern/kernel/tables"
import type { Collection } from "@lectern/model/collections"
import type { RoleOrGuest } from "@lectern/model/roles"
import { collectionPermissions } from "@lectern/model/roles"

/** Converts a row to a resource for a caller with this role on it. */
export const presentCollection = (base: string, row: CollectionRow, role: RoleOrGuest): Collection => ({
  object: "collection",
  id: row.id,
  title: row.title,
  ...(row.description === null ? {} : { description: row.description }),
  organization: row.organization,
  ...(row.parent === null ? {} : { parent: row.parent }),
  sortKey: row.position,
  defaultLevel: row.defaultLevel,
  urls: { location: `${base}/v1/collections/${row.id}`, app: `${base}/c/${row.id}` },
  permissions: collectionPermissions(role)
})
