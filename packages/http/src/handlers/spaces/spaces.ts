/** Handlers of the operations on spaces. */

import { SpacesApi } from "@lectern/client"
import { Spaces } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on spaces, implemented. */
export const spaces = Effect.map(Spaces, (spaces) =>
  implement(SpacesApi, {
    listSpacesInOrganizationById: ({ params, query }) => spaces.list(params.organizationId, query),
    createSpace: ({ params, payload }) => spaces.create(params.organizationId, payload),
    getSpaceById: ({ params, query }) => spaces.get(params.spaceId, query),
    deleteSpaceById: ({ params }) => spaces.remove(params.spaceId),
    updateSpaceById: ({ params, payload }) => spaces.update(params.spaceId, payload),
    duplicateSpace: ({ params }) => spaces.duplicate(params.spaceId),
    restoreSpace: ({ params }) => spaces.restore(params.spaceId),
    moveSpace: ({ params, payload }) => spaces.move(params.spaceId, payload),
    transferSpace: ({ params, payload }) => spaces.transfer(params.spaceId, payload)
  })
)
