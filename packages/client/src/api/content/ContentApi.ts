/** The operations on the content of spaces. */
import {
  ContentPage,
  EditContent,
  EditedContent,
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
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { describe, describeGroup } from "../describe.ts"
import { changing, importing, reading } from "../errors.ts"
import { page } from "../queries.ts"
import { options, Pages, pageOptions } from "./parameters.ts"

const space = { spaceId: SpaceId }

/** The group of operations on the content of a space. */
export const ContentApi = HttpApiGroup.make("content")
  .add(
    HttpApiEndpoint.get("getCurrentRevision", "/spaces/:spaceId/content", {
      params: space,
      query: options,
      success: Revision,
      error: reading
    }).annotateMerge(describe("Get the content", "The current revision, with all pages and files.")),
    HttpApiEndpoint.post("updateSpaceContent", "/spaces/:spaceId/content", {
      params: space,
      payload: EditContent,
      success: EditedContent,
      error: changing
    }).annotateMerge(
      describe(
        "Change the content",
        "Applies a batch of 1 to 50 changes: all of them as one revision, or none."
      )
    ),
    HttpApiEndpoint.post("importContent", "/spaces/:spaceId/content/import", {
      params: space,
      payload: ImportContent,
      success: ImportedContent.pipe(HttpApiSchema.status(201)),
      error: importing
    }).annotateMerge(
      describe(
        "Import content",
        "Brings in a website, a markdown, HTML or docx document, or an archive, as one revision. What the same address brought in before is brought up to date."
      )
    ),
    HttpApiEndpoint.get("listPages", "/spaces/:spaceId/content/pages", {
      params: space,
      query: options,
      success: Pages,
      error: reading
    }).annotateMerge(describe("List the pages", "All pages, as their tree, without their bodies.")),
    HttpApiEndpoint.get("listFiles", "/spaces/:spaceId/content/files", {
      params: space,
      query: { ...page, ...options },
      success: pageOf(File),
      error: reading
    }).annotateMerge(describe("List the files", "The files, newest first.")),
    HttpApiEndpoint.get("getFileById", "/spaces/:spaceId/content/files/:fileId", {
      params: { ...space, fileId: FileId },
      query: options,
      success: File,
      error: reading
    }).annotateMerge(
      describe("Get a file", "The file, with the address that its bytes are downloaded from.")
    ),
    HttpApiEndpoint.get("getPageById", "/spaces/:spaceId/content/page/:pageId", {
      params: { ...space, pageId: PageId },
      query: pageOptions,
      success: ContentPage,
      error: reading
    }).annotateMerge(describe("Get a page", "The page, with its body where a format is asked for.")),
    HttpApiEndpoint.get("getPageByPath", "/spaces/:spaceId/content/path/:pagePath", {
      params: { ...space, pagePath: PagePath },
      query: pageOptions,
      success: ContentPage,
      error: reading
    }).annotateMerge(
      describe("Get a page by its path", "The page, with its body where a format is asked for.")
    ),
    HttpApiEndpoint.get(
      "getReusableContentById",
      "/spaces/:spaceId/content/reusable-contents/:reusableContentId",
      {
        params: { ...space, reusableContentId: ReusableContentId },
        query: options,
        success: ReusableContent,
        error: reading
      }
    ).annotateMerge(describe("Get a reusable content", "The reusable content, which pages include."))
  )
  .annotateMerge(describeGroup("Space content", "The pages and files of a space, as they are now."))
