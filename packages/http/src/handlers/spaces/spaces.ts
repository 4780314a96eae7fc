import { SpacesApi } from "@lectern/client"
import { Spaces } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const spaces = Effect.map(Spaces, (spaces) =>
  implement(SpacesApi, {
    listSpacesInOrganizationById: spaces.list,
    listTrashedSpaces: spaces.listTrash,
    createSpace: spaces.create,
    getSpaceById: spaces.get,
    deleteSpaceById: spaces.remove,
    updateSpaceById: spaces.update,
    duplicateSpace: spaces.duplicate,
    restoreSpace: spaces.restore,
    moveSpace: spaces.move,
    transferSpace: spaces.transfer
  })
)
