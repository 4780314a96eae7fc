/** The operations on sites. */
import type { SitesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { adaptiveSchema } from "./scene.ts"

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
