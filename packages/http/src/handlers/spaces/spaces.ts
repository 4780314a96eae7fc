/** Handlers of the endpoints for spaces. */
import { SpacesApi } from "@lectern/client"
import { Spaces } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for spaces. */
export const spaces = Effect.map(Spaces, (spaces) =>
  implement(SpacesApi, {
    listSpacesInOrganizationById: serve(spaces.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    listTrashedSpaces: serve(spaces.listTrash, ({ params }) => ({ organization: params.organizationId })),
    createSpace: serve(spaces.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getSpaceById: serve(spaces.get, ({ params, query }) => ({ space: params.spaceId, input: query })),
    deleteSpaceById: serve(spaces.remove, ({ params }) => ({ space: params.spaceId })),
    updateSpaceById: serve(spaces.update, ({ params, payload }) => ({
      space: params.spaceId,
      input: payload
    })),
    duplicateSpace: serve(spaces.duplicate, ({ params }) => ({ space: params.spaceId })),
    restoreSpace: serve(spaces.restore, ({ params }) => ({ space: params.spaceId })),
    moveSpace: serve(spaces.move, ({ params, payload }) => ({ space: params.spaceId, input: payload })),
    transferSpace: serve(spaces.transfer, ({ params, payload }) => ({
      space: params.spaceId,
      input: payload
    }))
  })
)
