/** The operations on spaces. */
import {
  CreateSpace,
  OrganizationId,
  pageOf,
  Space,
  SpaceId,
  SpaceQuery,
  UpdateSpace
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading, restoring } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { siblingEndpoints } from "./siblingEndpoints.ts"

const space = { spaceId: SpaceId }
const organization = { organizationId: OrganizationId }

const siblings = siblingEndpoints(
  "Space",
  "/spaces/:spaceId",
  space,
  Space,
  "Hands the space to another organization."
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
      describe("List spaces", "The spaces of the organization that the caller may see, newest first.")
    ),
    HttpApiEndpoint.post("createSpace", "/orgs/:organizationId/spaces", {
      params: organization,
      payload: CreateSpace,
      success: Space.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe("Create a space", "At the end of its parent, or of the root of the organization.")
    ),
    HttpApiEndpoint.get("getSpaceById", "/spaces/:spaceId", {
      params: space,
      query: {
        shareKey: SpaceQuery.fields.shareKey
      },
      success: Space,
      error: reading
    }).annotateMerge(describe("Get a space", "The space, with what the caller may do with it.")),
    HttpApiEndpoint.delete("deleteSpaceById", "/spaces/:spaceId", {
      params: space,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe("Delete a space", "Puts the space into the bin, from where it can be restored for 7 days.")
    ),
    HttpApiEndpoint.patch("updateSpaceById", "/spaces/:spaceId", {
      params: space,
      payload: UpdateSpace,
      success: Space,
      error: editing
    }).annotateMerge(describe("Update a space", "Changes the fields that are given; the others stay.")),
    HttpApiEndpoint.post("duplicateSpace", "/spaces/:spaceId/duplicate", {
      params: space,
      success: Space.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe(
        "Duplicate a space",
        "Copies the space, right behind itself, without its comments, change requests and grants."
      )
    ),
    HttpApiEndpoint.post("restoreSpace", "/spaces/:spaceId/restore", {
      params: space,
      success: Space,
      error: restoring
    }).annotateMerge(describe("Restore a space", "Takes the space out of the bin, to where it was.")),
    siblings.move,
    siblings.transfer
  )
  .annotateMerge(describeGroup("Spaces", "Containers of documentation: pages and files."))
