/** Declares the operations on revisions. Their results never change. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import {
  ChangesQuery,
  DocumentOptions,
  JsonDocument,
  PageId,
  ReusableContentId,
  RevisionId,
  SemanticChanges,
  SpaceId
} from "../../index.ts"
import { reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { Immutable } from "../shared/immutable.ts"
import { contentReads, contentRevision, metaLinksEndpoint } from "./contentEndpoints.ts"
import { options } from "./contentParameters.ts"

const path = "/spaces/:spaceId/revisions/:revisionId"
const revision = { spaceId: SpaceId, revisionId: RevisionId }

const reads = contentReads(path, revision, {
  where: "InRevision",
  listPages: "listPagesInRevisionById",
  listFiles: "listFilesInRevisionById",
  of: " of a revision"
})

/**
 * The group of operations on revisions. Results with pages change with the specs that their computed pages are generated from;
 * all others are immutable.
 */
export const RevisionsApi = HttpApiGroup.make("revisions")
  .add(
    contentRevision(
      "getRevisionById",
      path,
      revision,
      "Get a revision",
      "Returns the revision, with all pages and files."
    ),
    HttpApiEndpoint.get("getRevisionSemanticChanges", `${path}/changes`, {
      params: revision,
      query: { ...options, limit: ChangesQuery.fields.limit },
      success: SemanticChanges,
      error: reading
    })
      .annotateMerge(
        describe(
          "Get the changes of a revision",
          "Returns the changes from the previous revision to this one."
        )
      )
      .annotate(Immutable, true),
    reads.listPages,
    reads.listFiles.annotate(Immutable, true),
    reads.getFile.annotate(Immutable, true),
    reads.getPage,
    metaLinksEndpoint("listRevisionPageMetaLinks", path, revision, " of a revision"),
    HttpApiEndpoint.get("getPageDocumentInRevisionById", `${path}/page/:pageId/document`, {
      params: { ...revision, pageId: PageId },
      query: { evaluated: DocumentOptions.fields.evaluated },
      success: JsonDocument,
      error: reading
    }).annotateMerge(
      describe(
        "Get the body of a page of a revision",
        "Returns the body of the page as a structured document."
      )
    ),
    reads.getPageByPath,
    reads.getReusableContent.annotate(Immutable, true),
    HttpApiEndpoint.get(
      "getReusableContentDocumentInRevisionById",
      `${path}/reusable-contents/:reusableContentId/document`,
      {
        params: { ...revision, reusableContentId: ReusableContentId },
        query: { evaluated: DocumentOptions.fields.evaluated },
        success: JsonDocument,
        error: reading
      }
    )
      .annotateMerge(
        describe(
          "Get the body of a reusable content of a revision",
          "Returns the body of the reusable content as a structured document."
        )
      )
      .annotate(Immutable, true)
  )
  .annotateMerge(describeGroup("Revisions", "The immutable history of the content of spaces."))
