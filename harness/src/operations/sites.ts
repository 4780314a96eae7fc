/** The operations on sites. */
import type { SitesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import { adaptiveSchema } from "./scene.ts"

export const sites = {
  listSites: { serves: "Sites.list", rule: "organization.listSites", statements: 7 },
  createSite: {
    serves: "Sites.create",
    rule: "organization.create",
    statements: 13,
    repeated: "another",
    body: () => ({}),
    full: ({ ids }) => ({ body: { spaces: [ids.spaceId] } })
  },
  getSiteById: { serves: "Sites.get", rule: "site.view", statements: 6 },
  deleteSiteById: { serves: "Sites.remove", rule: "site.remove", statements: 17, repeated: "404" },
  updateSiteById: {
    serves: "Sites.update",
    rule: "site.edit",
    statements: 16,
    body: () => ({ title: "New" })
  },
  publishSite: {
    serves: "Sites.publish",
    rule: "site.edit",
    statements: 17,
    prepare: ({ ids }, call) => call("POST", `/v1/orgs/${ids.organizationId}/sites/${ids.siteId}/unpublish`)
  },
  unpublishSite: { serves: "Sites.unpublish", rule: "site.edit", statements: 17 },
  // The site of the scene is public.
  getPublishedContentSite: { serves: "PublishedSites.get", rule: "anybody", statements: 11 },
  getSiteStructure: { serves: "PublishedSites.getStructure", rule: "site.view", statements: 9 },
  getSiteInsights: { serves: "SiteEvents.insights", rule: "site.view", statements: 5 },
  getSiteAdaptiveSchema: { serves: "SiteSettings.getAdaptiveSchema", rule: "site.view", statements: 5 },
  updateSiteAdaptiveSchema: {
    serves: "SiteSettings.updateAdaptiveSchema",
    rule: "site.edit",
    statements: 9,
    body: () => adaptiveSchema
  },
  getSiteCustomizationById: { serves: "SiteSettings.getCustomization", rule: "site.view", statements: 5 },
  updateSiteCustomizationById: {
    serves: "SiteSettings.updateCustomization",
    rule: "site.edit",
    statements: 10,
    body: ({ customization }) => customization
  },
  getSitePublishingAuthById: {
    serves: "SiteSettings.getPublishingAuth",
    rule: "site.configure",
    statements: 5
  },
  updateSitePublishingAuthById: {
    serves: "SiteSettings.updatePublishingAuth",
    rule: "site.configure",
    statements: 9,
    body: () => ({ fallbackURL: "https://example.com" })
  },
  regenerateSitePublishingAuthById: {
    serves: "SiteSettings.regeneratePrivateKey",
    rule: "site.configure",
    statements: 7,
    repeated: "another"
  }
} satisfies RowsOf<typeof SitesApi>
