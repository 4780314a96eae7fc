import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  AddSiteExternalLink,
  SiteExternalLink,
  SiteExternalLinkId,
  UpdateSiteExternalLink
} from "../../index.ts"
import { editing } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { ChangedResource } from "../shared/requestConditions.ts"
import { site, sitePath, structurePath } from "./siteParameters.ts"

const links = `${sitePath}/external-links` as const
const link = `${links}/:siteExternalLinkId` as const
const oneLink = { ...site, siteExternalLinkId: SiteExternalLinkId }

/** The group of operations on the links in the structures of sites. */
export const SiteExternalLinksApi = HttpApiGroup.make("siteExternalLinks")
  .add(
    HttpApiEndpoint.post("addExternalLinkToSite", links, {
      params: site,
      payload: AddSiteExternalLink,
      success: SiteExternalLink.pipe(HttpApiSchema.status(201)),
      error: editing
    })
      .annotateMerge(
        describe(
          "Add a link to a site",
          "Adds a link to another website at the end of the navigation of the site, or of a section group. The site must have sections."
        )
      )
      .annotate(ChangedResource, structurePath),
    HttpApiEndpoint.patch("updateSiteExternalLinkById", link, {
      params: oneLink,
      payload: UpdateSiteExternalLink,
      success: SiteExternalLink,
      error: editing
    })
      .annotateMerge(
        describe(
          "Update a link of a site",
          "Updates the fields that the request contains, and leaves the others unchanged. `null` removes a value."
        )
      )
      .annotate(ChangedResource, structurePath),
    HttpApiEndpoint.delete("deleteSiteExternalLinkById", link, {
      params: oneLink,
      success: HttpApiSchema.Empty(205),
      error: editing
    })
      .annotateMerge(describe("Delete a link of a site", "Deletes the link."))
      .annotate(ChangedResource, structurePath)
  )
  .annotateMerge(
    describeGroup("Site external links", "Links to other websites in the navigation of sites with sections.")
  )
