/** The operations on the content of change requests. */
import {
  ChangeRequest,
  ChangeRequestRef,
  ContentPage,
  EditContent,
  EditedPage,
  File,
  FileId,
  ImportContent,
  ImportedContent,
  PageId,
  PagePath,
  pageOf,
  ReusableContent,
  ReusableContentId,
  Revision,
  SpaceId
} from "@lectern/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { options, Pages, pageOptions } from "../content/parameters.ts"
import { describe, describeGroup } from "../describe.ts"
import { changing, importing, reading } from "../errors.ts"
import { flag, page } from "../queries.ts"

const changeRequest = { spaceId: SpaceId, changeRequestId: ChangeRequestRef }

/** What came of a batch of changes to a change request: it, and each page that was touched. */
const EditedChangeRequest = Schema.Struct({
  changeRequest: ChangeRequest,
  changes: Schema.Array(EditedPage),
  insertedFiles: Schema.optionalKey(Schema.Array(File))
}).annotate({ identifier: "EditedChangeRequest" })

/** The group of operations on the content of a change request. */
export const ChangeRequestContentApi = HttpApiGroup.make("changeRequestContent")
  .add(
    HttpApiEndpoint.get(
      "getRevisionOfChangeRequestById",
      "/spaces/:spaceId/change-requests/:changeRequestId/content",
      { params: changeRequest, query: options, success: Revision, error: reading }
    ).annotateMerge(
      describe("Get the content of a change request", "Its revision, with all pages and files.")
    ),
    HttpApiEndpoint.post(
      "updateChangeRequestContent",
      "/spaces/:spaceId/change-requests/:changeRequestId/content",
      {
        params: changeRequest,
        query: { compat: flag("Whether the change request alone is answered; true by default.") },
        payload: EditContent,
        success: Schema.Union([EditedChangeRequest, ChangeRequest]),
        error: changing
      }
    ).annotateMerge(
      describe(
        "Change the content of a change request",
        "Applies a batch of 1 to 50 changes: all of them as one revision, or none."
      )
    ),
    HttpApiEndpoint.post(
      "importContentInChangeRequest",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/import",
      {
        params: changeRequest,
        payload: ImportContent,
        success: ImportedContent.pipe(HttpApiSchema.status(201)),
        error: importing
      }
    ).annotateMerge(
      describe(
        "Import content into a change request",
        "Brings in a website, a markdown, HTML or docx document, or an archive, as one revision. What the same address brought in before is brought up to date."
      )
    ),
    HttpApiEndpoint.get(
      "listPagesInChangeRequest",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/pages",
      {
        params: changeRequest,
        query: options,
        success: Pages,
        error: reading
      }
    ).annotateMerge(
      describe("List the pages of a change request", "All pages, as their tree, without their bodies.")
    ),
    HttpApiEndpoint.get(
      "listFilesInChangeRequestById",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/files",
      { params: changeRequest, query: { ...page, ...options }, success: pageOf(File), error: reading }
    ).annotateMerge(describe("List the files of a change request", "The files, newest first.")),
    HttpApiEndpoint.get(
      "getFileInChangeRequestById",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/files/:fileId",
      { params: { ...changeRequest, fileId: FileId }, query: options, success: File, error: reading }
    ).annotateMerge(
      describe(
        "Get a file of a change request",
        "The file, with the address that its bytes are downloaded from."
      )
    ),
    HttpApiEndpoint.get(
      "getPageInChangeRequestById",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/page/:pageId",
      {
        params: { ...changeRequest, pageId: PageId },
        query: pageOptions,
        success: ContentPage,
        error: reading
      }
    ).annotateMerge(
      describe("Get a page of a change request", "The page, with its body where a format is asked for.")
    ),
    HttpApiEndpoint.get(
      "getPageInChangeRequestByPath",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/path/:pagePath",
      {
        params: { ...changeRequest, pagePath: PagePath },
        query: pageOptions,
        success: ContentPage,
        error: reading
      }
    ).annotateMerge(
      describe(
        "Get a page of a change request by its path",
        "The page, with its body where a format is asked for."
      )
    ),
    HttpApiEndpoint.get(
      "getReusableContentInChangeRequestById",
      "/spaces/:spaceId/change-requests/:changeRequestId/content/reusable-contents/:reusableContentId",
      {
        params: { ...changeRequest, reusableContentId: ReusableContentId },
        query: options,
        success: ReusableContent,
        error: reading
      }
    ).annotateMerge(
      describe("Get a reusable content of a change request", "The reusable content, which pages include.")
    )
  )
  .annotateMerge(describeGroup("Change request content", "The pages and files that change requests propose."))
