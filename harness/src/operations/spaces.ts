/** The operations on spaces. */
import type { SpacesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const spaces = {
  listSpacesInOrganizationById: { serves: "Spaces.list", rule: "organization.list", statements: 5 },
  listTrashedSpaces: { serves: "Spaces.listTrash", rule: "organization.list", statements: 4 },
  createSpace: {
    serves: "Spaces.create",
    rule: "organization.create",
    pathRule: "organization.view",
    statements: 10,
    repeated: "another",
    body: () => ({}),
    full: ({ parent }) => ({ body: { parent } })
  },
  getSpaceById: { serves: "Spaces.get", rule: "space.view", statements: 4 },
  deleteSpaceById: { serves: "Spaces.remove", rule: "space.remove", statements: 9, repeated: "409" },
  updateSpaceById: {
    serves: "Spaces.update",
    rule: "space.rename",
    statements: 8,
    body: () => ({ title: "New" })
  },
  duplicateSpace: {
    serves: "Spaces.duplicate",
    rule: ["space.duplicate", "parent.create"],
    statements: 13,
    repeated: "another"
  },
  restoreSpace: {
    serves: "Spaces.restore",
    rule: "trash.restore",
    statements: 8,
    repeated: "409",
    prepare: ({ ids }, call) => call("DELETE", `/v1/spaces/${ids.spaceId}`)
  },
  moveSpace: {
    serves: "Spaces.move",
    rule: "space.move",
    statements: 12,
    body: () => ({}),
    full: ({ ids }) => ({
      body: { position: { before: { type: "collection", collection: ids.collectionId } } }
    })
  },
  transferSpace: {
    serves: "Spaces.transfer",
    rule: "space.transfer",
    statements: 20,
    repeated: "409",
    body: ({ elsewhere }) => ({ organization: elsewhere })
  }
} satisfies RowsOf<typeof SpacesApi>
