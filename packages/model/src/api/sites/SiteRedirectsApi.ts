import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateSiteRedirect,
  ListSiteRedirects,
  pageOf,
  ResolvedSiteRedirect,
  SiteRedirect,
  SiteRedirectId,
  SiteRedirectQuery,
  UpdateSiteRedirect,
  UpsertedSiteRedirects,
  UpsertSiteRedirects
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { RequiresNoToken } from "../shared/requiresNoToken.ts"
import { site, sitePath } from "./siteParameters.ts"

const redirects = `${sitePath}/redirects` as const
const redirect = { ...site, siteRedirectId: SiteRedirectId }

/** The group of operations on the redirects of sites. */
export const SiteRedirectsApi = HttpApiGroup.make("siteRedirects")
  .add(
    HttpApiEndpoint.get("listSiteRedirects", redirects, {
      params: site,
      query: {
        ...page,
        search: ListSiteRedirects.fields.search,
        draft: ListSiteRedirects.fields.draft,
        orderBy: ListSiteRedirects.fields.orderBy
      },
      success: pageOf(SiteRedirect),
      error: reading
    }).annotateMerge(
      describe(
        "List the redirects of a site",
        "Returns the redirects that are set on the site, newest first by default."
      )
    ),
    HttpApiEndpoint.post("createSiteRedirect", redirects, {
      params: site,
      payload: CreateSiteRedirect,
      success: created(SiteRedirect),
      error: changing
    }).annotateMerge(
      describe(
        "Create a redirect",
        "Creates a redirect from a path on the site, or from all paths with a beginning, to a section, a space or a page of the site, or to another website."
      )
    ),
    HttpApiEndpoint.put("bulkUpsertSiteRedirects", redirects, {
      params: site,
      payload: UpsertSiteRedirects,
      success: UpsertedSiteRedirects,
      error: changing
    }).annotateMerge(
      describe(
        "Create, update, publish and delete redirects",
        "Changes at most 500 redirects by their sources, each on its own, and returns a result for each."
      )
    ),
    HttpApiEndpoint.patch("updateSiteRedirectById", `${redirects}/:siteRedirectId`, {
      params: redirect,
      payload: UpdateSiteRedirect,
      success: SiteRedirect,
      error: changing
    }).annotateMerge(
      describe(
        "Update a redirect",
        "Updates the fields that the request contains, and leaves the others unchanged."
      )
    ),
    HttpApiEndpoint.delete("deleteSiteRedirectById", `${redirects}/:siteRedirectId`, {
      params: redirect,
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(describe("Delete a redirect", "Deletes the redirect.")),
    HttpApiEndpoint.get("getSiteRedirectBySource", `${sitePath}/redirect`, {
      params: site,
      query: {
        source: SiteRedirectQuery.fields.source,
        shareKey: SiteRedirectQuery.fields.shareKey,
        visitorAuthToken: SiteRedirectQuery.fields.visitorAuthToken
      },
      success: ResolvedSiteRedirect,
      error: reading
    })
      .annotateMerge(
        describe(
          "Find a redirect by its source",
          "Returns the redirect for a path on the site with the URL of its destination: one that is set, or one to the page that had the path before it moved or was renamed. A public site requires no token."
        )
      )
      .annotate(RequiresNoToken, true)
  )
  .annotateMerge(
    describeGroup(
      "Site redirects",
      "Redirects from paths on a site to its sections, spaces and pages, and to other websites."
    )
  )
