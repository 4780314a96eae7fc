/** The operations on sites. */
import type { HostnamesApi, SiteAdministrationApi, SitesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { adaptiveSchema, hostname, subdomain } from "./sceneInputs.ts"

export const sites = {
  listSites: { serves: "Sites.list", rule: "organization.listSites" },
  createSite: {
    serves: "Sites.create",
    rule: "organization.create",
    repeated: "another",
    body: () => ({}),
    full: ({ ids }) => ({ body: { spaces: [ids.spaceId] } })
  },
  getSiteById: { serves: "Sites.get", rule: "site.view" },
  deleteSiteById: { serves: "Sites.remove", rule: "site.remove", repeated: "404" },
  updateSiteById: {
    serves: "Sites.update",
    rule: "site.edit",
    body: () => ({ title: "New" })
  },
  publishSite: {
    serves: "Sites.publish",
    rule: "site.edit",
    prepare: ({ ids }, call) => call("POST", `/v1/orgs/${ids.organizationId}/sites/${ids.siteId}/unpublish`)
  },
  unpublishSite: { serves: "Sites.unpublish", rule: "site.edit" },
  // The site of the scene is public.
  getPublishedContentSite: { serves: "PublishedSites.get", rule: "anybody" },
  getSiteStructure: { serves: "PublishedSites.getStructure", rule: "site.view" },
  getSiteInsights: { serves: "SiteEvents.insights", rule: "site.view" },
  getSiteAdaptiveSchema: { serves: "SiteSettings.getAdaptiveSchema", rule: "site.view" },
  updateSiteAdaptiveSchema: {
    serves: "SiteSettings.updateAdaptiveSchema",
    rule: "site.edit",
    body: () => adaptiveSchema
  },
  getSiteCustomizationById: { serves: "SiteSettings.getCustomization", rule: "site.view" },
  updateSiteCustomizationById: {
    serves: "SiteSettings.updateCustomization",
    rule: "site.edit",
    body: ({ customization }) => customization
  },
  getSitePublishingAuthById: {
    serves: "SiteSettings.getPublishingAuth",
    rule: "site.configure"
  },
  updateSitePublishingAuthById: {
    serves: "SiteSettings.updatePublishingAuth",
    rule: "site.configure",
    body: () => ({ fallbackURL: "https://example.com" })
  },
  regenerateSitePublishingAuthById: {
    serves: "SiteSettings.regeneratePrivateKey",
    rule: "site.configure",
    repeated: "another"
  }
} satisfies RowsOf<typeof SitesApi>

export const siteAdministration = {
  sortSiteStructure: {
    serves: "SiteStructures.sort",
    rule: "site.edit",
    body: ({ ids }) => ({
      item: { type: "site-section", id: ids.siteSectionId },
      position: { before: { type: "site-section-group", id: ids.siteSectionGroupId } }
    })
  },
  listSiteAdaptiveTemplateConditions: { serves: "SiteSettings.listTemplateConditions", rule: "site.view" },
  getSitePublishingPreviewById: { serves: "SitePreviews.get", rule: "site.configure" },
  listPermissionsAggregateInSite: {
    serves: "SitePermissions.listEffective",
    rule: ["site.view", "organization.listMembers"]
  },
  aggregateSiteEvents: {
    serves: "SiteEvents.aggregate",
    rule: "site.view",
    reads: true,
    body: () => ({ range: "last7Days", groupBy: [{ column: "eventType" }] })
  }
} satisfies RowsOf<typeof SiteAdministrationApi>

export const hostnames = {
  getCustomHostname: {
    serves: "Hostnames.get",
    rule: "site.view",
    prepare: ({ ids }, call) =>
      call("PATCH", `/v1/orgs/${ids.organizationId}/sites/${ids.siteId}`, { proxy: hostname })
  },
  removeCustomHostname: {
    serves: "Hostnames.remove",
    rule: "site.edit",
    repeated: "404",
    prepare: ({ ids }, call) =>
      call("PATCH", `/v1/orgs/${ids.organizationId}/sites/${ids.siteId}`, { proxy: hostname })
  },
  getSubdomain: {
    serves: "Hostnames.getSubdomain",
    rule: "organization.view",
    prepare: ({ ids }, call) => call("PATCH", `/v1/orgs/${ids.organizationId}`, { hostname: subdomain })
  }
} satisfies RowsOf<typeof HostnamesApi>
