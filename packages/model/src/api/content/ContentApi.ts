import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import {
  ComputeDocument,
  ComputedRevision,
  ComputeRevision,
  DocumentId,
  DocumentSchemaQuery,
  EditContent,
  EditedContent,
  JsonDocument,
  PageId,
  SpaceId
} from "../../index.ts"
import { contentImport, pageImport } from "../imports/contentImport.ts"
import { changing, importing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { AcceptsFiles, ReturnsSecret } from "../shared/requestConditions.ts"
import { contentReads, contentRevision, metaLinksEndpoint } from "./contentEndpoints.ts"
import { returnsDownloadUrls } from "./contentParameters.ts"

const path = "/spaces/:spaceId/content"
const space = { spaceId: SpaceId }
const schemaVersion = { schema: DocumentSchemaQuery.fields.schema }

const reads = contentReads(path, space, {
  where: "",
  listPages: "listPages",
  listFiles: "listFiles",
  of: ""
})

/** The group of operations on the content of a space. */
export const ContentApi = HttpApiGroup.make("content")
  .add(
    contentRevision(
      "getCurrentRevision",
      path,
      space,
      "Get the content",
      "Returns the current revision, with all pages and files."
    ),
    HttpApiEndpoint.post("updateSpaceContent", path, {
      params: space,
      payload: EditContent,
      success: EditedContent,
      error: importing
    })
      .annotateMerge(
        describe("Change the content", "Applies a batch of 1 to 50 changes atomically, as one revision.")
      )
      .annotate(ReturnsSecret, returnsDownloadUrls)
      .annotate(AcceptsFiles, true),
    contentImport("importContent", path, space, "Import content"),
    reads.listPages,
    reads.listFiles,
    reads.getFile,
    reads.getPage,
    metaLinksEndpoint("listSpacePageMetaLinks", path, space, ""),
    reads.getPageByPath,
    reads.getReusableContent,
    HttpApiEndpoint.get("getDocumentById", "/spaces/:spaceId/documents/:documentId", {
      params: { ...space, documentId: DocumentId },
      query: schemaVersion,
      success: JsonDocument,
      error: reading
    }).annotateMerge(
      describe(
        "Get a document",
        "Returns the body of a page or a reusable content of the current content, by the `documentId` of the page."
      )
    ),
    HttpApiEndpoint.post("getComputedDocument", `${path}/computed/document`, {
      params: space,
      query: schemaVersion,
      payload: ComputeDocument,
      success: JsonDocument,
      error: changing
    }).annotateMerge(
      describe("Compute a document", "Returns the document of a computed page, from the source of the page.")
    ),
    HttpApiEndpoint.post("getComputedRevision", `${path}/computed/revision`, {
      params: space,
      payload: ComputeRevision,
      success: ComputedRevision,
      error: changing
    }).annotateMerge(
      describe(
        "Compute the pages of a source",
        "Returns the pages that replace a computed page of the space with this source."
      )
    ),
    pageImport(
      "importContentInPageById",
      `${path}/page/:pageId`,
      { ...space, pageId: PageId },
      "Import content into a page"
    )
  )
  .annotateMerge(describeGroup("Space content", "The current pages and files of spaces."))
