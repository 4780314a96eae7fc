import { PlacesApi } from "@lectern/client"
import { Places } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

export const places = Effect.map(Places, (places) =>
  implement(PlacesApi, {
    listPlaces: serve(places.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    putFavorite: serve(places.putFavorite, ({ params, payload }) => ({
      space: params.spaceId,
      input: payload
    })),
    recordRecentPage: serve(places.recordRecentPage, ({ params, payload }) => ({
      space: params.spaceId,
      input: payload
    }))
  })
)
