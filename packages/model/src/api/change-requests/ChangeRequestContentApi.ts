import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import {
  ChangeRequest,
  ChangeRequestRef,
  EditContent,
  EditedPage,
  File,
  PageId,
  SpaceId
} from "../../index.ts"
import { contentReads, contentRevision, metaLinksEndpoint } from "../content/contentEndpoints.ts"
import { returnsDownloadUrls } from "../content/contentParameters.ts"
import { contentImport, pageImport } from "../imports/contentImport.ts"
import { importing } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { flag } from "../shared/queryParameters.ts"
import { AcceptsFiles, ReturnsSecret } from "../shared/requestConditions.ts"

const path = "/spaces/:spaceId/change-requests/:changeRequestId/content"
const changeRequest = { spaceId: SpaceId, changeRequestId: ChangeRequestRef }

const reads = contentReads(path, changeRequest, {
  where: "InChangeRequest",
  listPages: "listPagesInChangeRequest",
  listFiles: "listFilesInChangeRequestById",
  of: " of a change request"
})

/** The result of a batch of changes to a change request: the change request, and each page that was touched. */
const EditedChangeRequest = Schema.Struct({
  /** The change request after the edit. */
  changeRequest: ChangeRequest,
  /** The pages that the edit changed, in the order of its changes. */
  changes: Schema.Array(EditedPage),
  /** The files that the edit added. Absent if it added none. */
  insertedFiles: Schema.optionalKey(Schema.Array(File))
}).annotate({ identifier: "EditedChangeRequest" })

/** The group of operations on the content of a change request. */
export const ChangeRequestContentApi = HttpApiGroup.make("changeRequestContent")
  .add(
    contentRevision(
      "getRevisionOfChangeRequestById",
      path,
      changeRequest,
      "Get the content of a change request",
      "Returns the current revision of the change request, with all pages and files."
    ),
    HttpApiEndpoint.post("updateChangeRequestContent", path, {
      params: changeRequest,
      query: {
        compat: flag(
          "Whether to return only the change request, without the edited pages. `true` by default."
        )
      },
      payload: EditContent,
      success: Schema.Union([EditedChangeRequest, ChangeRequest]),
      error: importing
    })
      .annotateMerge(
        describe(
          "Change the content of a change request",
          "Applies a batch of 1 to 50 changes atomically, as one revision."
        )
      )
      .annotate(ReturnsSecret, returnsDownloadUrls)
      .annotate(AcceptsFiles, true),
    contentImport(
      "importContentInChangeRequest",
      path,
      changeRequest,
      "Import content into a change request"
    ),
    pageImport(
      "importContentInChangeRequestPageById",
      `${path}/page/:pageId`,
      { ...changeRequest, pageId: PageId },
      "Import content into a page of a change request"
    ),
    reads.listPages,
    reads.listFiles,
    reads.getFile,
    reads.getPage,
    metaLinksEndpoint("listChangeRequestPageMetaLinks", path, changeRequest, " of a change request"),
    reads.getPageByPath,
    reads.getReusableContent
  )
  .annotateMerge(describeGroup("Change request content", "The pages and files that change requests propose."))
