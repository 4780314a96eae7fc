/** The operations on revisions. What they answer never changes. */
import {
  ChangesQuery,
  ContentPage,
  File,
  FileId,
  JsonDocument,
  PageId,
  PagePath,
  pageOf,
  ReusableContent,
  ReusableContentId,
  Revision,
  RevisionId,
  SemanticChanges,
  SpaceId
} from "@lectern/core"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, describeGroup } from "../describe.ts"
import { reading } from "../errors.ts"
import { Immutable } from "../immutable.ts"
import { page } from "../queries.ts"
import { options, Pages, pageOptions } from "./parameters.ts"

const revision = { spaceId: SpaceId, revisionId: RevisionId }

/** The group of operations on revisions. */
export const RevisionsApi = HttpApiGroup.make("revisions")
  .add(
    HttpApiEndpoint.get("getRevisionById", "/spaces/:spaceId/revisions/:revisionId", {
      params: revision,
      query: options,
      success: Revision,
      error: reading
    }).annotateMerge(describe("Get a revision", "The revision, with all pages and files.")),
    HttpApiEndpoint.get("getRevisionSemanticChanges", "/spaces/:spaceId/revisions/:revisionId/changes", {
      params: revision,
      query: { ...options, limit: ChangesQuery.fields.limit },
      success: SemanticChanges,
      error: reading
    }).annotateMerge(describe("Get the changes of a revision", "What it changed in the revision before it.")),
    HttpApiEndpoint.get("listPagesInRevisionById", "/spaces/:spaceId/revisions/:revisionId/pages", {
      params: revision,
      query: options,
      success: Pages,
      error: reading
    }).annotateMerge(
      describe("List the pages of a revision", "All pages, as their tree, without their bodies.")
    ),
    HttpApiEndpoint.get("listFilesInRevisionById", "/spaces/:spaceId/revisions/:revisionId/files", {
      params: revision,
      query: { ...page, ...options },
      success: pageOf(File),
      error: reading
    }).annotateMerge(describe("List the files of a revision", "The files, newest first.")),
    HttpApiEndpoint.get("getFileInRevisionById", "/spaces/:spaceId/revisions/:revisionId/files/:fileId", {
      params: { ...revision, fileId: FileId },
      query: options,
      success: File,
      error: reading
    }).annotateMerge(
      describe("Get a file of a revision", "The file, with the address that its bytes are downloaded from.")
    ),
    HttpApiEndpoint.get("getPageInRevisionById", "/spaces/:spaceId/revisions/:revisionId/page/:pageId", {
      params: { ...revision, pageId: PageId },
      query: pageOptions,
      success: ContentPage,
      error: reading
    }).annotateMerge(
      describe("Get a page of a revision", "The page, with its body where a format is asked for.")
    ),
    HttpApiEndpoint.get(
      "getPageDocumentInRevisionById",
      "/spaces/:spaceId/revisions/:revisionId/page/:pageId/document",
      { params: { ...revision, pageId: PageId }, success: JsonDocument, error: reading }
    ).annotateMerge(describe("Get the body of a page of a revision", "The body of the page, as a document.")),
    HttpApiEndpoint.get("getPageInRevisionByPath", "/spaces/:spaceId/revisions/:revisionId/path/:pagePath", {
      params: { ...revision, pagePath: PagePath },
      query: pageOptions,
      success: ContentPage,
      error: reading
    }).annotateMerge(
      describe("Get a page of a revision by its path", "The page, with its body where a format is asked for.")
    ),
    HttpApiEndpoint.get(
      "getReusableContentInRevisionById",
      "/spaces/:spaceId/revisions/:revisionId/reusable-contents/:reusableContentId",
      {
        params: { ...revision, reusableContentId: ReusableContentId },
        query: options,
        success: ReusableContent,
        error: reading
      }
    ).annotateMerge(
      describe("Get a reusable content of a revision", "The reusable content, which pages include.")
    )
  )
  .annotateEndpoints(Immutable, true)
  .annotateMerge(describeGroup("Revisions", "The content of a space at any moment of its past."))
