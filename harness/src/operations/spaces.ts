/** The operations on spaces. */
import type { SpacesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const spaces = {
  listSpacesInOrganizationById: { serves: "Spaces.list", rule: "organization.list" },
  listTrashedSpaces: { serves: "Spaces.listTrash", rule: "organization.list" },
  createSpace: {
    serves: "Spaces.create",
    rule: "organization.create",
    pathRule: "organization.view",
    repeated: "another",
    body: () => ({}),
    full: ({ parent }) => ({ body: { parent } })
  },
  getSpaceById: { serves: "Spaces.get", rule: "space.view" },
  deleteSpaceById: { serves: "Spaces.remove", rule: "space.remove", repeated: "409" },
  updateSpaceById: {
    serves: "Spaces.update",
    rule: "space.rename",
    body: () => ({ title: "New" })
  },
  duplicateSpace: {
    serves: "Spaces.duplicate",
    rule: ["space.duplicate", "parent.create"],
    repeated: "another"
  },
  restoreSpace: {
    serves: "Spaces.restore",
    rule: "trash.restore",
    repeated: "409",
    prepare: ({ ids }, call) => call("DELETE", `/v1/spaces/${ids.spaceId}`)
  },
  moveSpace: {
    serves: "Spaces.move",
    rule: "space.move",
    body: () => ({}),
    full: ({ ids }) => ({
      body: { position: { before: { type: "collection", collection: ids.collectionId } } }
    })
  },
  transferSpace: {
    serves: "Spaces.transfer",
    rule: "space.transfer",
    repeated: "409",
    body: ({ elsewhere }) => ({ organization: elsewhere })
  }
} satisfies RowsOf<typeof SpacesApi>
