import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import {
  ChangeRequestRef,
  FileId,
  ListLinks,
  PageId,
  PageLocation,
  PageOfLinks,
  pageOf,
  ReusableContentId,
  SpaceId
} from "../../index.ts"
import { reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const space = { spaceId: SpaceId }
const changeRequest = { ...space, changeRequestId: ChangeRequestRef }
const inChangeRequest = "/spaces/:spaceId/change-requests/:changeRequestId"

const query = {
  ...page,
  status: ListLinks.fields.status
}

const links = describe(
  "List links",
  "Returns the targets of the links in all pages, each with up to 100 of the places that link to it, and the number of broken links."
)
const ofPage = describe("List the links of a page", "Returns the targets of the links in the page.")
const toPage = describe("List the backlinks of a page", "Returns the other pages that link to the page.")
const toFile = describe(
  "List the backlinks of a file",
  "Returns the pages that link to the file or embed it."
)

const toReusableContent = describe(
  "List the backlinks of a reusable content",
  "Returns the pages that include the reusable content, directly or by another one. An extension of Lectern."
)

/** The group of operations on links. */
export const LinksApi = HttpApiGroup.make("links")
  .add(
    HttpApiEndpoint.get("listSpaceLinks", "/spaces/:spaceId/links", {
      params: space,
      query,
      success: PageOfLinks,
      error: reading
    }).annotateMerge(links),
    HttpApiEndpoint.get("listPageLinksInSpace", "/spaces/:spaceId/content/page/:pageId/links", {
      params: { ...space, pageId: PageId },
      query,
      success: PageOfLinks,
      error: reading
    }).annotateMerge(ofPage),
    HttpApiEndpoint.get("listSpacePageBacklinks", "/spaces/:spaceId/content/page/:pageId/backlinks", {
      params: { ...space, pageId: PageId },
      query: page,
      success: pageOf(PageLocation),
      error: reading
    }).annotateMerge(toPage),
    HttpApiEndpoint.get("listSpaceFileBacklinks", "/spaces/:spaceId/content/files/:fileId/backlinks", {
      params: { ...space, fileId: FileId },
      query: page,
      success: pageOf(PageLocation),
      error: reading
    }).annotateMerge(toFile),
    HttpApiEndpoint.get(
      "listSpaceReusableContentBacklinks",
      "/spaces/:spaceId/content/reusable-contents/:reusableContentId/backlinks",
      {
        params: { ...space, reusableContentId: ReusableContentId },
        query: page,
        success: pageOf(PageLocation),
        error: reading
      }
    ).annotateMerge(toReusableContent),
    HttpApiEndpoint.get("listChangeRequestLinks", `${inChangeRequest}/links`, {
      params: changeRequest,
      query,
      success: PageOfLinks,
      error: reading
    }).annotateMerge(links),
    HttpApiEndpoint.get("listPageLinksInChangeRequest", `${inChangeRequest}/content/page/:pageId/links`, {
      params: { ...changeRequest, pageId: PageId },
      query,
      success: PageOfLinks,
      error: reading
    }).annotateMerge(ofPage),
    HttpApiEndpoint.get(
      "listChangeRequestPageBacklinks",
      `${inChangeRequest}/content/page/:pageId/backlinks`,
      {
        params: { ...changeRequest, pageId: PageId },
        query: page,
        success: pageOf(PageLocation),
        error: reading
      }
    ).annotateMerge(toPage),
    HttpApiEndpoint.get(
      "listChangeRequestFileBacklinks",
      `${inChangeRequest}/content/files/:fileId/backlinks`,
      {
        params: { ...changeRequest, fileId: FileId },
        query: page,
        success: pageOf(PageLocation),
        error: reading
      }
    ).annotateMerge(toFile),
    HttpApiEndpoint.get(
      "listChangeRequestReusableContentBacklinks",
      `${inChangeRequest}/content/reusable-contents/:reusableContentId/backlinks`,
      {
        params: { ...changeRequest, reusableContentId: ReusableContentId },
        query: page,
        success: pageOf(PageLocation),
        error: reading
      }
    ).annotateMerge(toReusableContent)
  )
  .annotateMerge(describeGroup("Links", "The links in pages, broken links, and backlinks."))
