/** The operations on collections. */
import type { CollectionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const collections = {
  getCollectionById: { serves: "Collections.get", rule: "collection.view", statements: 4 },
  deleteCollectionById: {
    serves: "Collections.remove",
    rule: "collection.remove",
    statements: 19,
    repeated: "404"
  },
  updateCollectionById: {
    serves: "Collections.update",
    rule: "collection.rename",
    statements: 8,
    body: () => ({ title: "New" })
  },
  listSpacesInCollectionById: { serves: "Collections.listSpaces", rule: "collection.list", statements: 6 },
  moveCollection: {
    serves: "Collections.move",
    rule: "collection.move",
    statements: 20,
    body: () => ({}),
    full: ({ above }) => ({ body: { parent: above } })
  },
  transferCollection: {
    serves: "Collections.transfer",
    rule: "collection.transfer",
    statements: 30,
    repeated: "409",
    body: ({ elsewhere }) => ({ organization: elsewhere })
  },
  listCollectionsInOrganizationById: { serves: "Collections.list", rule: "organization.list", statements: 5 },
  createCollection: {
    serves: "Collections.create",
    rule: "organization.create",
    pathRule: "organization.view",
    statements: 9,
    repeated: "another",
    body: () => ({}),
    full: ({ parent }) => ({ body: { parent } })
  }
} satisfies RowsOf<typeof CollectionsApi>
