import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import {
  ChangeRequest,
  ChangeRequestRef,
  ChangesQuery,
  CreateChangeRequest,
  ListChangeRequests,
  MergePreview,
  MergeResult,
  OrganizationId,
  pageOf,
  SemanticChanges,
  SpaceId,
  UpdateChangeRequest,
  UpdateResult
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { ChangedResource } from "../shared/requestConditions.ts"

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
    }).annotateMerge(
      describe("List change requests", "Returns the change requests of the space, newest first.")
    ),
    HttpApiEndpoint.get("listChangeRequestsForOrganization", "/orgs/:organizationId/change-requests", {
      params: { organizationId: OrganizationId },
      query: {
        ...page,
        status,
        creator,
        contributor
      },
      success: pageOf(ChangeRequest),
      error: reading
    }).annotateMerge(
      describe(
        "List change requests of an organization",
        "Returns the change requests of all spaces that the caller can read, newest first."
      )
    ),
    HttpApiEndpoint.post("createChangeRequest", "/spaces/:spaceId/change-requests", {
      params: space,
      payload: CreateChangeRequest,
      success: created(ChangeRequest),
      error: changing
    }).annotateMerge(
      describe(
        "Create a change request",
        "Creates a change request with the status `draft`, from the current content of the space."
      )
    ),
    HttpApiEndpoint.get("getChangeRequestById", "/spaces/:spaceId/change-requests/:changeRequestId", {
      params: changeRequest,
      success: ChangeRequest,
      error: reading
    }).annotateMerge(
      describe(
        "Get a change request",
        "Returns the change request with this id, or with this number in the space."
      )
    ),
    HttpApiEndpoint.patch("updateChangeRequestById", "/spaces/:spaceId/change-requests/:changeRequestId", {
      params: changeRequest,
      payload: UpdateChangeRequest,
      success: ChangeRequest,
      error: editing
    }).annotateMerge(
      describe(
        "Update a change request",
        "Updates the subject or the status of the change request. The status can be set to `draft`, `open` or `archived`."
      )
    ),
    HttpApiEndpoint.post("mergeChangeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/merge", {
      params: changeRequest,
      success: MergeResult,
      error: editing
    })
      .annotateMerge(
        describe(
          "Merge a change request",
          "Merges the change request into the content of the space. If both have changed the same content, nothing is merged and the response lists the conflicts."
        )
      )
      .annotate(ChangedResource, "/spaces/:spaceId/change-requests/:changeRequestId"),
    HttpApiEndpoint.get(
      "getChangeRequestMergePreview",
      "/spaces/:spaceId/change-requests/:changeRequestId/merge-preview",
      { params: changeRequest, success: MergePreview, error: reading }
    ).annotateMerge(
      describe(
        "Preview the merge of a change request",
        "Returns the conflicts and the failing rules that prevent a merge by the caller, without merging. An extension of Lectern."
      )
    ),
    HttpApiEndpoint.post("updateChangeRequest", "/spaces/:spaceId/change-requests/:changeRequestId/update", {
      params: changeRequest,
      success: UpdateResult,
      error: editing
    })
      .annotateMerge(
        describe(
          "Update a change request from its space",
          "Merges the current content of the space into the change request. If both have changed the same content, nothing is merged and the response lists the conflicts."
        )
      )
      .annotate(ChangedResource, "/spaces/:spaceId/change-requests/:changeRequestId"),
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
      describe(
        "Get the changes of a change request",
        "Returns the changes that the change request makes to the content of the space."
      )
    )
  )
  .annotateMerge(describeGroup("Change requests", "Proposed changes to the content of spaces."))
