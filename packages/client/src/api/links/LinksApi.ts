/** The operations on links, in spaces and in change requests. */
import {
  ChangeRequestRef,
  FileId,
  ListLinks,
  PageId,
  PageLocation,
  PageOfLinks,
  pageOf,
  SpaceId
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
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
  "What the pages link to, each with up to 100 of the places that do, and how many links are broken."
)
const ofPage = describe("List the links of a page", "What the page links to.")
const toPage = describe("List the backlinks of a page", "The other pages that link to the page.")
const toFile = describe("List the backlinks of a file", "The pages that link to the file, or show it.")

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
    ).annotateMerge(toFile)
  )
  .annotateMerge(describeGroup("Links", "What pages link to, and what links to them."))
