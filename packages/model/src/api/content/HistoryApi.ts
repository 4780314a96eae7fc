import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import {
  ArchivedPage,
  ChangeRequestRef,
  EditedContent,
  PageId,
  pageOf,
  RevisionId,
  RevisionSummary,
  SpaceId
} from "../../index.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const space = { spaceId: SpaceId }

/** The result of restoring a revision. */
const RestoredRevision = Schema.Struct({
  /** The id of the revision that the space has now. */
  revision: RevisionId
}).annotate({ identifier: "RestoredRevision" })

/** The group of operations on the history of spaces. */
export const HistoryApi = HttpApiGroup.make("history")
  .add(
    HttpApiEndpoint.get("listRevisions", "/spaces/:spaceId/revisions", {
      params: space,
      query: page,
      success: pageOf(RevisionSummary),
      error: reading
    }).annotateMerge(
      describe("List revisions", "Returns the revisions of the space, newest first, without their content.")
    ),
    HttpApiEndpoint.get(
      "listRevisionsOfChangeRequest",
      "/spaces/:spaceId/change-requests/:changeRequestId/revisions",
      {
        params: { ...space, changeRequestId: ChangeRequestRef },
        query: page,
        success: pageOf(RevisionSummary),
        error: reading
      }
    ).annotateMerge(
      describe(
        "List the revisions of a change request",
        "Returns who saved the change request when, newest first. Automatic saves within 15 minutes are one revision."
      )
    ),
    HttpApiEndpoint.post("restoreRevision", "/spaces/:spaceId/revisions/:revisionId/restore", {
      params: { ...space, revisionId: RevisionId },
      success: RestoredRevision,
      error: changing
    }).annotateMerge(
      describe("Restore a revision", "Restores the content of the revision, as a new revision of the space.")
    ),
    HttpApiEndpoint.get("listArchivedPages", "/spaces/:spaceId/archived-pages", {
      params: space,
      query: page,
      success: pageOf(ArchivedPage),
      error: reading
    }).annotateMerge(
      describe(
        "List archived pages",
        "Returns the pages that were deleted from the space and not restored since, latest first."
      )
    ),
    HttpApiEndpoint.post("restoreArchivedPage", "/spaces/:spaceId/archived-pages/:pageId/restore", {
      params: { ...space, pageId: PageId },
      success: EditedContent,
      error: changing
    }).annotateMerge(
      describe(
        "Restore an archived page",
        "Restores the page with its descendants, as a new revision of the space."
      )
    )
  )
  .annotateMerge(describeGroup("History", "Revisions and deleted pages of spaces."))
