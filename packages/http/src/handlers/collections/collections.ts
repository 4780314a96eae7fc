import { CollectionsApi } from "@lectern/client"
import { Collections } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const collections = Effect.map(Collections, (collections) =>
  implement(CollectionsApi, {
    getCollectionById: collections.get,
    deleteCollectionById: collections.remove,
    updateCollectionById: collections.update,
    listSpacesInCollectionById: collections.listSpaces,
    moveCollection: collections.move,
    transferCollection: collections.transfer,
    listCollectionsInOrganizationById: collections.list,
    createCollection: collections.create
  })
)
