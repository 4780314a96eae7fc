import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { ListPlaces, OrganizationId, PlaceList, PutFavorite, RecordRecentPage, SpaceId } from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"

/** The group of operations on the caller's favorites and recent pages. */
export const PlacesApi = HttpApiGroup.make("places")
  .add(
    HttpApiEndpoint.get("listPlaces", "/orgs/:organizationId/places", {
      params: { organizationId: OrganizationId },
      query: { kind: ListPlaces.fields.kind },
      success: PlaceList,
      error: reading
    }).annotateMerge(
      describe(
        "List favorites or recent pages",
        "Returns the caller's favorites, or the pages that they opened last, as far as they can see them."
      )
    ),
    HttpApiEndpoint.put("putFavorite", "/spaces/:spaceId/favorite", {
      params: { spaceId: SpaceId },
      payload: PutFavorite,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Mark a favorite",
        "Adds a space or a page to the caller's favorites, or removes it from them."
      )
    ),
    HttpApiEndpoint.put("recordRecentPage", "/spaces/:spaceId/recent-page", {
      params: { spaceId: SpaceId },
      payload: RecordRecentPage,
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe("Record a recent page", "Makes the page the first of the pages that the caller opened last.")
    )
  )
  .annotateMerge(describeGroup("Places", "The favorites of the caller, and the pages that they opened last."))
