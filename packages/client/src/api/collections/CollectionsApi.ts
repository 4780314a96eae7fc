/** The operations on collections. */
import {
  Collection,
  CollectionId,
  CreateCollection,
  ListCollections,
  OrganizationId,
  pageOf,
  Space,
  UpdateCollection
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { siblingEndpoints } from "../spaces/siblingEndpoints.ts"

const collection = { collectionId: CollectionId }
const organization = { organizationId: OrganizationId }

const siblings = siblingEndpoints(
  "Collection",
  "/collections/:collectionId",
  collection,
  Collection,
  "Hands the collection, with all that is in it, to another organization."
)

/** The group of operations on collections. */
export const CollectionsApi = HttpApiGroup.make("collections")
  .add(
    HttpApiEndpoint.get("getCollectionById", "/collections/:collectionId", {
      params: collection,
      success: Collection,
      error: reading
    }).annotateMerge(describe("Get a collection", "The collection, with what the caller may do with it.")),
    HttpApiEndpoint.delete("deleteCollectionById", "/collections/:collectionId", {
      params: collection,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe(
        "Delete a collection",
        "Removes the collection and those in it. Their spaces move to what the collection was in: no content is lost."
      )
    ),
    HttpApiEndpoint.patch("updateCollectionById", "/collections/:collectionId", {
      params: collection,
      payload: UpdateCollection,
      success: Collection,
      error: editing
    }).annotateMerge(describe("Update a collection", "Changes the fields that are given; the others stay.")),
    HttpApiEndpoint.get("listSpacesInCollectionById", "/collections/:collectionId/spaces", {
      params: collection,
      query: page,
      success: pageOf(Space),
      error: reading
    }).annotateMerge(
      describe("List the spaces of a collection", "The spaces right in the collection, in their order.")
    ),
    siblings.move,
    siblings.transfer,
    HttpApiEndpoint.get("listCollectionsInOrganizationById", "/orgs/:organizationId/collections", {
      params: organization,
      query: { ...page, nested: ListCollections.fields.nested },
      success: pageOf(Collection),
      error: reading
    }).annotateMerge(
      describe(
        "List collections",
        "All collections, newest first; with `nested=false` those at the root, in their order."
      )
    ),
    HttpApiEndpoint.post("createCollection", "/orgs/:organizationId/collections", {
      params: organization,
      payload: CreateCollection,
      success: Collection.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe("Create a collection", "At the end of its parent, or of the root of the organization.")
    )
  )
  .annotateMerge(describeGroup("Collections", "Folders of spaces and of other collections."))
