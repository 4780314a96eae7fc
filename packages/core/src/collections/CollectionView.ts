/** A collection as callers see it. */
import { collectionPermissions } from "../access/Policy.ts"
import type { RoleOrGuest } from "../access/Role.ts"
import type { Collection, CollectionRow } from "./Collection.ts"

/** A row as a resource, for a caller with this role on it. */
export const present = (base: string, row: CollectionRow, role: RoleOrGuest): Collection => ({
  object: "collection",
  id: row.id,
  title: row.title,
  ...(row.description === null ? {} : { description: row.description }),
  organization: row.organization,
  ...(row.parent === null ? {} : { parent: row.parent }),
  defaultLevel: row.defaultLevel,
  urls: { location: `${base}/v1/collections/${row.id}`, app: `${base}/c/${row.id}` },
  permissions: collectionPermissions(role)
})
