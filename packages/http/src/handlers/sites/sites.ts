import { SitesApi } from "@lectern/client"
import { PublishedSites, SiteEvents, SiteSettings, Sites } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const sites = Effect.map(
  Effect.all([Sites, SiteSettings, PublishedSites, SiteEvents]),
  ([sites, settings, published, events]) =>
    implement(SitesApi, {
      listSites: sites.list,
      createSite: sites.create,
      getSiteById: sites.get,
      deleteSiteById: sites.remove,
      updateSiteById: sites.update,
      publishSite: sites.publish,
      unpublishSite: sites.unpublish,
      getPublishedContentSite: published.get,
      getSiteStructure: published.getStructure,
      getSiteInsights: events.insights,
      getSiteAdaptiveSchema: settings.getAdaptiveSchema,
      updateSiteAdaptiveSchema: settings.updateAdaptiveSchema,
      getSiteCustomizationById: settings.getCustomization,
      updateSiteCustomizationById: settings.updateCustomization,
      getSitePublishingAuthById: settings.getPublishingAuth,
      updateSitePublishingAuthById: settings.updatePublishingAuth,
      regenerateSitePublishingAuthById: settings.regeneratePrivateKey
    })
)
