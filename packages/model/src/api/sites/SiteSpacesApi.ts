import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  AddSiteSpace,
  CompleteCustomization,
  CreateShareLink,
  CustomizationOverride,
  ListSiteSpaces,
  MoveSiteSpace,
  pageOf,
  ShareLink,
  ShareLinkId,
  SiteSpace,
  SiteSpaceId,
  UpdateShareLink,
  UpdateSiteSpace
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"
import { siteItems } from "./siteItems.ts"
import { site, sitePath, visitor } from "./siteParameters.ts"

const siteSpaces = `${sitePath}/site-spaces` as const
const customization = `${siteSpaces}/:siteSpaceId/customization` as const
const shareLinks = `${sitePath}/share-links` as const
const siteSpace = { ...site, siteSpaceId: SiteSpaceId }
const shareLink = { ...site, shareLinkId: ShareLinkId }

const siteSpaceChanges = siteItems("Space", siteSpaces, {
  params: siteSpace,
  item: SiteSpace,
  add: {
    payload: AddSiteSpace,
    title: "Add a space to a site",
    description:
      "Adds the space at the end of the given section, by default of the default section, or of the site if it has no sections."
  },
  remove: {
    title: "Remove a space from a site",
    description: "Removes the space from the site. The space itself is not deleted."
  },
  update: {
    payload: UpdateSiteSpace,
    title: "Update a space on a site",
    description:
      "Updates the fields that the request contains, and leaves the others unchanged. `null` removes the condition."
  },
  move: {
    payload: MoveSiteSpace,
    title: "Move a space on a site",
    description: "Moves the space to another position among its siblings, to the end by default."
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
        "Returns the spaces on the site, in their order. With a share key or a visitor token, returns only the spaces that the visitor can see."
      )
    ),
    siteSpaceChanges.add,
    siteSpaceChanges.remove,
    siteSpaceChanges.update,
    siteSpaceChanges.move,
    HttpApiEndpoint.post("duplicateSiteSpace", `${siteSpaces}/:siteSpaceId/duplicate`, {
      params: siteSpace,
      success: created(SiteSpace),
      error: changing
    }).annotateMerge(
      describe(
        "Duplicate a space on a site",
        "Duplicates the space, and adds the copy to the site after it: to the same section, or to a new one next to it if it is the only space there."
      )
    ),
    HttpApiEndpoint.get("getSiteSpaceCustomizationById", customization, {
      params: siteSpace,
      success: CompleteCustomization,
      error: reading
    }).annotateMerge(
      describe(
        "Get the customization of a space on a site",
        "Returns the customization of the site, with the values that the space on the site overrides."
      )
    ),
    HttpApiEndpoint.patch("overrideSiteSpaceCustomizationById", customization, {
      params: siteSpace,
      payload: CustomizationOverride,
      success: CompleteCustomization,
      error: editing
    }).annotateMerge(
      describe(
        "Override the customization of a space on a site",
        "Overrides the values of the customization of the site that the request contains, and leaves other overrides unchanged. `null` removes the override of a value. Returns the resulting customization."
      )
    ),
    HttpApiEndpoint.delete("deleteSiteSpaceCustomizationById", customization, {
      params: siteSpace,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe(
        "Delete the customization of a space on a site",
        "Removes all overrides, so that the space on the site has the customization of the site."
      )
    )
  )
  .annotateMerge(describeGroup("Site spaces", "The spaces on sites."))

/** The group of operations on share links. */
export const ShareLinksApi = HttpApiGroup.make("shareLinks")
  .add(
    HttpApiEndpoint.get("listSiteShareLinks", shareLinks, {
      params: site,
      query: page,
      success: pageOf(ShareLink),
      error: reading
    })
      .annotateMerge(
        describe(
          "List the share links of a site",
          "Returns the share links of the site with their URLs, newest first."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.post("createSiteShareLink", shareLinks, {
      params: site,
      payload: CreateShareLink,
      success: created(ShareLink),
      error: changing
    })
      .annotateMerge(describe("Create a share link", "Creates a share link, which is active immediately."))
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.delete("deleteSiteShareLinkById", `${shareLinks}/:shareLinkId`, {
      params: shareLink,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(describe("Delete a share link", "Deletes the share link. Its key is no longer valid.")),
    HttpApiEndpoint.patch("updateSiteShareLinkById", `${shareLinks}/:shareLinkId`, {
      params: shareLink,
      payload: UpdateShareLink,
      success: ShareLink,
      error: changing
    }).annotateMerge(
      describe("Update a share link", "Updates the share link. The key of an inactive link is not valid.")
    )
  )
  .annotateMerge(
    describeGroup(
      "Site share links",
      "Links with a key that give visitors without an account access to a site."
    )
  )
