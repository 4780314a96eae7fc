import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  Collection,
  CollectionId,
  CreateCollection,
  ListCollections,
  OrganizationId,
  pageOf,
  Space,
  UpdateCollection
} from "../../index.ts"
import { created } from "../shared/created.ts"
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
  "Transfers the collection and everything in it to another organization."
)

/** The group of operations on collections. */
export const CollectionsApi = HttpApiGroup.make("collections")
  .add(
    HttpApiEndpoint.get("getCollectionById", "/collections/:collectionId", {
      params: collection,
      success: Collection,
      error: reading
    }).annotateMerge(describe("Get a collection", "Returns the collection, with the caller's permissions.")),
    HttpApiEndpoint.delete("deleteCollectionById", "/collections/:collectionId", {
      params: collection,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe(
        "Delete a collection",
        "Deletes the collection and its nested collections. Their spaces move to the parent of the collection, so no content is lost."
      )
    ),
    HttpApiEndpoint.patch("updateCollectionById", "/collections/:collectionId", {
      params: collection,
      payload: UpdateCollection,
      success: Collection,
      error: editing
    }).annotateMerge(
      describe(
        "Update a collection",
        "Updates the fields that the request contains, and leaves the others unchanged."
      )
    ),
    HttpApiEndpoint.get("listSpacesInCollectionById", "/collections/:collectionId/spaces", {
      params: collection,
      query: page,
      success: pageOf(Space),
      error: reading
    }).annotateMerge(
      describe(
        "List the spaces of a collection",
        "Returns the direct child spaces of the collection, in their order."
      )
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
        "Returns all collections of the organization, newest first. With `nested=false`, returns only the collections at the root, in their order."
      )
    ),
    HttpApiEndpoint.post("createCollection", "/orgs/:organizationId/collections", {
      params: organization,
      payload: CreateCollection,
      success: created(Collection),
      error: changing
    }).annotateMerge(
      describe(
        "Create a collection",
        "Creates a collection at the end of its parent, or of the root of the organization."
      )
    )
  )
  .annotateMerge(describeGroup("Collections", "Folders of spaces and other collections."))
