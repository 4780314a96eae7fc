import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateSpace,
  OrganizationId,
  pageOf,
  Space,
  SpaceId,
  SpaceQuery,
  SpaceTrash,
  UpdateSpace
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading, restoring } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { ChangedResource } from "../shared/requestConditions.ts"
import { siblingEndpoints } from "./siblingEndpoints.ts"

const space = { spaceId: SpaceId }
const organization = { organizationId: OrganizationId }

const siblings = siblingEndpoints(
  "Space",
  "/spaces/:spaceId",
  space,
  Space,
  "Transfers the space to another organization."
)

/** The group of operations on spaces. */
export const SpacesApi = HttpApiGroup.make("spaces")
  .add(
    HttpApiEndpoint.get("listSpacesInOrganizationById", "/orgs/:organizationId/spaces", {
      params: organization,
      query: page,
      success: pageOf(Space),
      error: reading
    }).annotateMerge(
      describe("List spaces", "Returns the spaces of the organization that the caller can see, newest first.")
    ),
    HttpApiEndpoint.post("createSpace", "/orgs/:organizationId/spaces", {
      params: organization,
      payload: CreateSpace,
      success: created(Space),
      error: changing
    }).annotateMerge(
      describe(
        "Create a space",
        "Creates a space at the end of its parent, or of the root of the organization."
      )
    ),
    HttpApiEndpoint.get("listTrashedSpaces", "/orgs/:organizationId/trash", {
      params: organization,
      success: SpaceTrash,
      error: reading
    }).annotateMerge(
      describe(
        "List the trash",
        "Returns the spaces in the trash that the caller can restore, the last deleted one first: at most 500."
      )
    ),
    HttpApiEndpoint.get("getSpaceById", "/spaces/:spaceId", {
      params: space,
      query: {
        shareKey: SpaceQuery.fields.shareKey
      },
      success: Space,
      error: reading
    }).annotateMerge(describe("Get a space", "Returns the space, with the caller's permissions.")),
    HttpApiEndpoint.delete("deleteSpaceById", "/spaces/:spaceId", {
      params: space,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe("Delete a space", "Moves the space to the trash, from which it can be restored for 7 days.")
    ),
    HttpApiEndpoint.patch("updateSpaceById", "/spaces/:spaceId", {
      params: space,
      payload: UpdateSpace,
      success: Space,
      error: editing
    }).annotateMerge(
      describe(
        "Update a space",
        "Updates the fields that the request contains, and leaves the others unchanged."
      )
    ),
    HttpApiEndpoint.post("duplicateSpace", "/spaces/:spaceId/duplicate", {
      params: space,
      success: created(Space),
      error: changing
    }).annotateMerge(
      describe(
        "Duplicate a space",
        "Creates a copy of the space directly after it. Comments, change requests and permissions are not copied."
      )
    ),
    HttpApiEndpoint.post("restoreSpace", "/spaces/:spaceId/restore", {
      params: space,
      success: Space,
      error: restoring
    })
      .annotateMerge(describe("Restore a space", "Restores the space from the trash to its previous place."))
      .annotate(ChangedResource, "/spaces/:spaceId"),
    siblings.move,
    siblings.transfer
  )
  .annotateMerge(describeGroup("Spaces", "Containers of documentation: pages and files."))
