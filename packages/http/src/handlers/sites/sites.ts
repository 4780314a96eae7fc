/** Handlers of the operations on docs sites. */

import { SitesApi } from "@lectern/client"
import { PublishedSites, Sites, SitesSettings } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on docs sites, implemented. */
export const sites = Effect.map(
  Effect.all([Sites, SitesSettings, PublishedSites]),
  ([sites, settings, published]) =>
    implement(SitesApi, {
      listSites: ({ params, query }) => sites.list(params.organizationId, query),
      createSite: ({ params, payload }) => sites.create(params.organizationId, payload),
      getSiteById: ({ params }) => sites.get(params.organizationId, params.siteId),
      deleteSiteById: ({ params }) => sites.remove(params.organizationId, params.siteId),
      updateSiteById: ({ params, payload }) => sites.update(params.organizationId, params.siteId, payload),
      publishSite: ({ params }) => sites.publish(params.organizationId, params.siteId),
      unpublishSite: ({ params }) => sites.unpublish(params.organizationId, params.siteId),
      getPublishedContentSite: ({ params, query }) =>
        published.get(params.organizationId, params.siteId, query),
      getSiteStructure: ({ params, query }) =>
        published.structure(params.organizationId, params.siteId, query),
      getSiteAdaptiveSchema: ({ params }) => settings.adaptiveSchema(params.organizationId, params.siteId),
      updateSiteAdaptiveSchema: ({ params, payload }) =>
        settings.updateAdaptiveSchema(params.organizationId, params.siteId, payload),
      getSiteCustomizationById: ({ params }) => settings.customization(params.organizationId, params.siteId),
      updateSiteCustomizationById: ({ params, payload }) =>
        settings.updateCustomization(params.organizationId, params.siteId, payload),
      getSitePublishingAuthById: ({ params }) =>
        settings.publishingAuth(params.organizationId, params.siteId),
      updateSitePublishingAuthById: ({ params, payload }) =>
        settings.updatePublishingAuth(params.organizationId, params.siteId, payload),
      regenerateSitePublishingAuthById: ({ params }) =>
        settings.regeneratePrivateKey(params.organizationId, params.siteId)
    })
)
