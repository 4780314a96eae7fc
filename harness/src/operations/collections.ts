/** The operations on collections. */
import type { CollectionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const collections = {
  getCollectionById: { serves: "Collections.get", rule: "collection.view" },
  deleteCollectionById: {
    serves: "Collections.remove",
    rule: "collection.remove",
    repeated: "404"
  },
  updateCollectionById: {
    serves: "Collections.update",
    rule: "collection.rename",
    body: () => ({ title: "New" })
  },
  listSpacesInCollectionById: { serves: "Collections.listSpaces", rule: "collection.list" },
  moveCollection: {
    serves: "Collections.move",
    rule: "collection.move",
    body: () => ({}),
    full: ({ above }) => ({ body: { parent: above } })
  },
  transferCollection: {
    serves: "Collections.transfer",
    rule: "collection.transfer",
    repeated: "409",
    body: ({ elsewhere }) => ({ organization: elsewhere })
  },
  listCollectionsInOrganizationById: { serves: "Collections.list", rule: "organization.list" },
  createCollection: {
    serves: "Collections.create",
    rule: "organization.create",
    pathRule: "organization.view",
    repeated: "another",
    body: () => ({}),
    full: ({ parent }) => ({ body: { parent } })
  }
} satisfies RowsOf<typeof CollectionsApi>
