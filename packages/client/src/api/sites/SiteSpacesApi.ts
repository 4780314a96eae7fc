/** The operations on the spaces on a site, and on its share links. */
import {
  AddSiteSpace,
  CreateShareLink,
  ListSiteSpaces,
  MoveSiteSpace,
  pageOf,
  ShareLink,
  ShareLinkId,
  SiteSpace,
  SiteSpaceId,
  UpdateShareLink,
  UpdateSiteSpace
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { siteItems } from "./siteItems.ts"
import { site, sitePath, visitor } from "./siteParameters.ts"

const siteSpaces = `${sitePath}/site-spaces` as const
const shareLinks = `${sitePath}/share-links` as const
const siteSpace = { ...site, siteSpaceId: SiteSpaceId }
const shareLink = { ...site, shareLinkId: ShareLinkId }

const siteSpaceChanges = siteItems("Space", siteSpaces, {
  params: siteSpace,
  item: SiteSpace,
  add: {
    payload: AddSiteSpace,
    title: "Add a space to a site",
    description: "To the end of a section: of the default one, where none is named, or of the site itself."
  },
  remove: { title: "Remove a space from a site", description: "It stays a space." },
  update: {
    payload: UpdateSiteSpace,
    title: "Update a space on a site",
    description: "Changes the fields that are given. A null condition is taken away."
  },
  move: {
    payload: MoveSiteSpace,
    title: "Move a space on a site",
    description: "Among those beside it; to the end by default."
  }
})

/** The group of operations on the spaces on a site. */
export const SiteSpacesApi = HttpApiGroup.make("siteSpaces")
  .add(
    HttpApiEndpoint.get("listSiteSpaces", siteSpaces, {
      params: site,
      query: {
        ...page,
        ...visitor,
        default: ListSiteSpaces.fields.default
      },
      success: pageOf(SiteSpace),
      error: reading
    }).annotateMerge(
      describe(
        "List the spaces on a site",
        "In their order; with a key or a token, those that a visitor is shown."
      )
    ),
    siteSpaceChanges.add,
    siteSpaceChanges.remove,
    siteSpaceChanges.update,
    siteSpaceChanges.move
  )
  .annotateMerge(describeGroup("Site spaces", "The spaces on a site."))

/** The group of operations on share links. */
export const ShareLinksApi = HttpApiGroup.make("shareLinks")
  .add(
    HttpApiEndpoint.get("listSiteShareLinks", shareLinks, {
      params: site,
      query: page,
      success: pageOf(ShareLink),
      error: reading
    }).annotateMerge(
      describe("List the share links of a site", "Newest first, with the addresses that they open.")
    ),
    HttpApiEndpoint.post("createSiteShareLink", shareLinks, {
      params: site,
      payload: CreateShareLink,
      success: ShareLink.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(describe("Create a share link", "It is active at once.")),
    HttpApiEndpoint.delete("deleteSiteShareLinkById", `${shareLinks}/:shareLinkId`, {
      params: shareLink,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(describe("Delete a share link", "Its key opens nothing any more.")),
    HttpApiEndpoint.patch("updateSiteShareLinkById", `${shareLinks}/:shareLinkId`, {
      params: shareLink,
      payload: UpdateShareLink,
      success: ShareLink,
      error: changing
    }).annotateMerge(describe("Update a share link", "One that is not active opens nothing."))
  )
  .annotateMerge(describeGroup("Site share links", "Keys for visitors without an account."))
