/** Handlers of the operations on collections. */

import { CollectionsApi } from "@lectern/client"
import { Collections } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on collections, implemented. */
export const collections = Effect.map(Collections, (collections) =>
  implement(CollectionsApi, {
    getCollectionById: ({ params }) => collections.get(params.collectionId),
    deleteCollectionById: ({ params }) => collections.remove(params.collectionId),
    updateCollectionById: ({ params, payload }) => collections.update(params.collectionId, payload),
    listSpacesInCollectionById: ({ params, query }) => collections.listSpaces(params.collectionId, query),
    moveCollection: ({ params, payload }) => collections.move(params.collectionId, payload),
    transferCollection: ({ params, payload }) => collections.transfer(params.collectionId, payload),
    listCollectionsInOrganizationById: ({ params, query }) => collections.list(params.organizationId, query),
    createCollection: ({ params, payload }) => collections.create(params.organizationId, payload)
  })
)
