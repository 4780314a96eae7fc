/** Handlers of the endpoints for collections. */
import { CollectionsApi } from "@lectern/client"
import { Collections } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for collections. */
export const collections = Effect.map(Collections, (collections) =>
  implement(CollectionsApi, {
    getCollectionById: serve(collections.get, ({ params }) => ({ collection: params.collectionId })),
    deleteCollectionById: serve(collections.remove, ({ params }) => ({ collection: params.collectionId })),
    updateCollectionById: serve(collections.update, ({ params, payload }) => ({
      collection: params.collectionId,
      input: payload
    })),
    listSpacesInCollectionById: serve(collections.listSpaces, ({ params, query }) => ({
      collection: params.collectionId,
      input: query
    })),
    moveCollection: serve(collections.move, ({ params, payload }) => ({
      collection: params.collectionId,
      input: payload
    })),
    transferCollection: serve(collections.transfer, ({ params, payload }) => ({
      collection: params.collectionId,
      input: payload
    })),
    listCollectionsInOrganizationById: serve(collections.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createCollection: serve(collections.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    }))
  })
)
