/** The operations on docs sites. */
import {
  AdaptiveSchema,
  CreateSite,
  Customization,
  ListSites,
  OrganizationId,
  PublishedSite,
  PublishingAuth,
  pageOf,
  Site,
  SiteStructure,
  UpdateAdaptiveSchema,
  UpdatePublishingAuth,
  UpdateSite
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { site, sitePath, visitor } from "./siteParameters.ts"

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
    }).annotateMerge(describe("List sites", "The sites of the organization, newest first.")),
    HttpApiEndpoint.post("createSite", "/orgs/:organizationId/sites", {
      params: organization,
      payload: CreateSite,
      success: Site.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe("Create a site", "Not yet published; with spaces that are there, with a new one, or without.")
    ),
    HttpApiEndpoint.get("getSiteById", sitePath, {
      params: site,
      success: Site,
      error: reading
    }).annotateMerge(describe("Get a site", "The site, with where it is published.")),
    HttpApiEndpoint.delete("deleteSiteById", sitePath, {
      params: site,
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(describe("Delete a site", "For good. The spaces that are on it stay.")),
    HttpApiEndpoint.patch("updateSiteById", sitePath, {
      params: site,
      payload: UpdateSite,
      success: Site,
      error: editing
    }).annotateMerge(
      describe(
        "Update a site",
        "Changes the fields that are given; the others stay. A null proxy is taken away."
      )
    ),
    HttpApiEndpoint.post("publishSite", `${sitePath}/publish`, {
      params: site,
      success: Site,
      error: changing
    }).annotateMerge(describe("Publish a site", "Shows it to the audience that its visibility says.")),
    HttpApiEndpoint.post("unpublishSite", `${sitePath}/unpublish`, {
      params: site,
      success: Site,
      error: changing
    }).annotateMerge(describe("Unpublish a site", "Shows it to nobody any more.")),
    HttpApiEndpoint.get("getPublishedContentSite", `${sitePath}/published`, {
      params: site,
      query: visitor,
      success: PublishedSite,
      error: reading
    }).annotateMerge(
      describe(
        "Get a published site",
        "With all that a visitor is shown. Not there while it is not published, or for visitors who may not see it."
      )
    ),
    HttpApiEndpoint.get("getSiteStructure", `${sitePath}/structure`, {
      params: site,
      query: visitor,
      success: SiteStructure,
      error: reading
    }).annotateMerge(
      describe(
        "Get the structure of a site",
        "Its sections and groups, or its spaces where it has none; with a key or a token, as a visitor is shown it."
      )
    ),
    HttpApiEndpoint.get("getSiteAdaptiveSchema", `${sitePath}/adaptive-schema`, {
      params: site,
      success: AdaptiveSchema,
      error: reading
    }).annotateMerge(describe("Get the adaptive schema", "What the site knows of its visitors.")),
    HttpApiEndpoint.put("updateSiteAdaptiveSchema", `${sitePath}/adaptive-schema`, {
      params: site,
      payload: UpdateAdaptiveSchema,
      success: AdaptiveSchema,
      error: editing
    }).annotateMerge(
      describe(
        "Set the adaptive schema",
        "Conditions may name only what is in it, and only what fits it counts of what visitors claim."
      )
    ),
    HttpApiEndpoint.get("getSiteCustomizationById", `${sitePath}/customization`, {
      params: site,
      success: Customization,
      error: reading
    }).annotateMerge(describe("Get the customization", "How the site looks.")),
    HttpApiEndpoint.put("updateSiteCustomizationById", `${sitePath}/customization`, {
      params: site,
      payload: Customization,
      success: Customization,
      error: editing
    }).annotateMerge(describe("Set the customization", "Replaces all of it.")),
    HttpApiEndpoint.get("getSitePublishingAuthById", `${sitePath}/publishing/auth`, {
      params: site,
      success: PublishingAuth,
      error: reading
    }).annotateMerge(
      describe("Get the authentication", "How visitors show who they are, with the key for it.")
    ),
    HttpApiEndpoint.patch("updateSitePublishingAuthById", `${sitePath}/publishing/auth`, {
      params: site,
      payload: UpdatePublishingAuth,
      success: PublishingAuth,
      error: editing
    }).annotateMerge(describe("Update the authentication", "Changes what is given.")),
    HttpApiEndpoint.post("regenerateSitePublishingAuthById", `${sitePath}/publishing/auth/regenerate`, {
      params: site,
      success: PublishingAuth,
      error: changing
    }).annotateMerge(
      describe("Regenerate the key", "Tokens of visitors that were signed with the one before are void.")
    )
  )
  .annotateMerge(describeGroup("Docs sites", "Spaces, put together and published under one address."))
