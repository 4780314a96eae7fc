/** The operations on change requests. */
import {
  ChangeRequest,
  ChangeRequestRef,
  ChangesQuery,
  CreateChangeRequest,
  ListChangeRequests,
  MergeResult,
  pageOf,
  SemanticChanges,
  SpaceId,
  UpdateChangeRequest,
  UpdateResult
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const space = { spaceId: SpaceId }
const changeRequest = { ...space, changeRequestId: ChangeRequestRef }
const { status, creator, contributor } = ListChangeRequests.fields

/** The group of operations on change requests. */
export const ChangeRequestsApi = HttpApiGroup.make("changeRequests")
  .add(
    HttpApiEndpoint.get("listChangeRequestsForSpace", "/spaces/:spaceId/change-requests", {
      params: space,
      query: {
        ...page,
        status,
        creator,
        contributor
      },
      success: pageOf(ChangeRequest),
      error: reading
    }).annotateMerge(describe("List change requests", "The change requests of the space, newest first.")),
    HttpApiEndpoint.post("createChangeRequest", "/spaces/:spaceId/change-requests", {
      params: space,
      payload: CreateChangeRequest,
      success: ChangeRequest.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe("Create a change request", "As a draft, with the content that the space has now.")
    ),
    HttpApiEndpoint.get("getChangeRequestById", "/spaces/:spaceId/change-requests/:changeRequestId", {
      params: changeRequest,
      success: ChangeRequest,
      error: reading
    }).annotateMerge(describe("Get a change request", "By its id, or by its number in the space.")),
    HttpApiEndpoint.patch("updateChangeRequestById", "/spaces/:spaceId/change-requests/:changeRequestId", {
      params: changeRequest,
      payload: UpdateChangeRequest,
      success: ChangeRequest,
      error: editing
    }).annotateMerge(
      describe("Update a change request", "Changes its subject, or its status: draft, open and archived.")
    ),
    HttpApiEndpoint.post("mergeChangeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/merge", {
      params: changeRequest,
      success: MergeResult,
      error: changing
    }).annotateMerge(
      describe(
        "Merge a change request",
        "Into the content of the space. Where both changed the same, nothing is done, and the conflicts are said."
      )
    ),
    HttpApiEndpoint.post("updateChangeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/update", {
      params: changeRequest,
      success: UpdateResult,
      error: changing
    }).annotateMerge(
      describe(
        "Pull the content of the space into a change request",
        "Where both changed the same, nothing is done, and the conflicts are said."
      )
    ),
    HttpApiEndpoint.get(
      "getChangeRequestChanges",
      "/spaces/:spaceId/change-requests/:changeRequestId/changes",
      {
        params: changeRequest,
        query: { limit: ChangesQuery.fields.limit },
        success: SemanticChanges,
        error: reading
      }
    ).annotateMerge(
      describe("Get the changes of a change request", "What it changes in the content of the space.")
    )
  )
  .annotateMerge(describeGroup("Change requests", "Changes proposed to the content of spaces."))
