import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  AdaptiveSchema,
  CompleteCustomization,
  CreateSite,
  Customization,
  ListSites,
  OrganizationId,
  PublishedSite,
  PublishingAuth,
  pageOf,
  Site,
  SiteInsights,
  SiteInsightsQuery,
  SiteStructure,
  UpdateAdaptiveSchema,
  UpdatePublishingAuth,
  UpdateSite
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ChangedResource, CreatesIfMissing, ReturnsSecret } from "../shared/requestConditions.ts"
import { RequiresNoToken } from "../shared/requiresNoToken.ts"
import { site, sitePath, structurePath, visitor } from "./siteParameters.ts"

const organization = { organizationId: OrganizationId }

/** The group of operations on docs sites. */
export const SitesApi = HttpApiGroup.make("sites")
  .add(
    HttpApiEndpoint.get("listSites", "/orgs/:organizationId/sites", {
      params: organization,
      query: {
        ...page,
        space: ListSites.fields.space,
        title: ListSites.fields.title,
        published: ListSites.fields.published
      },
      success: pageOf(Site),
      error: reading
    }).annotateMerge(describe("List sites", "Returns the sites of the organization, newest first.")),
    HttpApiEndpoint.post("createSite", "/orgs/:organizationId/sites", {
      params: organization,
      payload: CreateSite,
      success: created(Site),
      error: changing
    }).annotateMerge(
      describe(
        "Create a site",
        "Creates an unpublished site with existing spaces, with a new space, or without spaces."
      )
    ),
    HttpApiEndpoint.get("getSiteById", sitePath, {
      params: site,
      success: Site,
      error: reading
    }).annotateMerge(describe("Get a site", "Returns the site, with its URLs.")),
    HttpApiEndpoint.delete("deleteSiteById", sitePath, {
      params: site,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Delete a site", "Deletes the site permanently. Its spaces are not deleted.")),
    HttpApiEndpoint.patch("updateSiteById", sitePath, {
      params: site,
      payload: UpdateSite,
      success: Site,
      error: editing
    }).annotateMerge(
      describe(
        "Update a site",
        "Updates the fields that the request contains, and leaves the others unchanged. `null` removes the proxy."
      )
    ),
    HttpApiEndpoint.post("publishSite", `${sitePath}/publish`, {
      params: site,
      success: Site,
      error: editing
    })
      .annotateMerge(
        describe("Publish a site", "Publishes the site to the audience that its `visibility` selects.")
      )
      .annotate(ChangedResource, sitePath),
    HttpApiEndpoint.post("unpublishSite", `${sitePath}/unpublish`, {
      params: site,
      success: Site,
      error: editing
    })
      .annotateMerge(
        describe("Unpublish a site", "Unpublishes the site, so that visitors can no longer see it.")
      )
      .annotate(ChangedResource, sitePath),
    HttpApiEndpoint.get("getPublishedContentSite", `${sitePath}/published`, {
      params: site,
      query: visitor,
      success: PublishedSite,
      error: reading
    })
      .annotateMerge(
        describe(
          "Get a published site",
          "Returns the published site with everything that the visitor can see. Responds with 404 if the site is not published, or if the visitor has no access. A public site requires no token, and a share-link site only its `shareKey`."
        )
      )
      .annotate(RequiresNoToken, true),
    HttpApiEndpoint.get("getSiteStructure", structurePath, {
      params: site,
      query: visitor,
      success: SiteStructure,
      error: reading
    }).annotateMerge(
      describe(
        "Get the structure of a site",
        "Returns the sections and groups of the site, or its spaces if it has no sections. With a share key or a visitor token, returns only the structure that the visitor can see."
      )
    ),
    HttpApiEndpoint.get("getSiteInsights", `${sitePath}/insights`, {
      params: site,
      query: { days: SiteInsightsQuery.fields.days },
      success: SiteInsights,
      error: reading
    }).annotateMerge(
      describe(
        "Get the insights of a site",
        "Returns how often its pages were opened per day and per page, their ratings, searches without results, paths that no page has, and the numbers of other events. A view is counted within minutes."
      )
    ),
    HttpApiEndpoint.get("getSiteAdaptiveSchema", `${sitePath}/adaptive-schema`, {
      params: site,
      success: AdaptiveSchema,
      error: reading
    }).annotateMerge(
      describe("Get the adaptive schema", "Returns the schema of the visitor claims that the site accepts.")
    ),
    HttpApiEndpoint.put("updateSiteAdaptiveSchema", `${sitePath}/adaptive-schema`, {
      params: site,
      payload: UpdateAdaptiveSchema,
      success: AdaptiveSchema,
      error: editing
    })
      .annotateMerge(
        describe(
          "Set the adaptive schema",
          "Replaces the schema of visitor claims. Conditions can only refer to claims in the schema, and claims that do not match it are ignored."
        )
      )
      .annotate(CreatesIfMissing, true),
    HttpApiEndpoint.get("getSiteCustomizationById", `${sitePath}/customization`, {
      params: site,
      success: CompleteCustomization,
      error: reading
    }).annotateMerge(describe("Get the customization", "Returns the appearance of the site.")),
    HttpApiEndpoint.put("updateSiteCustomizationById", `${sitePath}/customization`, {
      params: site,
      payload: Customization,
      success: CompleteCustomization,
      error: editing
    }).annotateMerge(describe("Set the customization", "Replaces the entire customization.")),
    HttpApiEndpoint.get("getSitePublishingAuthById", `${sitePath}/publishing/auth`, {
      params: site,
      success: PublishingAuth,
      error: reading
    })
      .annotateMerge(
        describe(
          "Get the visitor authentication",
          "Returns how visitors authenticate, with the key that signs their tokens."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.patch("updateSitePublishingAuthById", `${sitePath}/publishing/auth`, {
      params: site,
      payload: UpdatePublishingAuth,
      success: PublishingAuth,
      error: editing
    }).annotateMerge(
      describe(
        "Update the visitor authentication",
        "Updates the fields that the request contains, and leaves the others unchanged."
      )
    ),
    HttpApiEndpoint.post("regenerateSitePublishingAuthById", `${sitePath}/publishing/auth/regenerate`, {
      params: site,
      success: PublishingAuth,
      error: editing
    })
      .annotateMerge(
        describe(
          "Regenerate the visitor authentication key",
          "Generates a new signing key. Visitor tokens that were signed with the previous key become invalid."
        )
      )
      .annotate(ChangedResource, `${sitePath}/publishing/auth`)
      .annotate(ReturnsSecret, always)
  )
  .annotateMerge(describeGroup("Docs sites", "Sites that publish spaces under one URL."))
