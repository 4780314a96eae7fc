/** Handlers of the endpoints for docs sites. */
import { SitesApi } from "@lectern/client"
import { PublishedSites, SiteSettings, Sites } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for docs sites. */
export const sites = Effect.map(
  Effect.all([Sites, SiteSettings, PublishedSites]),
  ([sites, settings, published]) =>
    implement(SitesApi, {
      listSites: serve(sites.list, ({ params, query }) => ({
        organization: params.organizationId,
        input: query
      })),
      createSite: serve(sites.create, ({ params, payload }) => ({
        organization: params.organizationId,
        input: payload
      })),
      getSiteById: serve(sites.get, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      })),
      deleteSiteById: serve(sites.remove, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      })),
      updateSiteById: serve(sites.update, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: payload
      })),
      publishSite: serve(sites.publish, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      })),
      unpublishSite: serve(sites.unpublish, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      })),
      getPublishedContentSite: serve(published.get, ({ params, query }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: query
      })),
      getSiteStructure: serve(published.getStructure, ({ params, query }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: query
      })),
      getSiteAdaptiveSchema: serve(settings.getAdaptiveSchema, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      })),
      updateSiteAdaptiveSchema: serve(settings.updateAdaptiveSchema, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: payload
      })),
      getSiteCustomizationById: serve(settings.getCustomization, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      })),
      updateSiteCustomizationById: serve(settings.updateCustomization, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: payload
      })),
      getSitePublishingAuthById: serve(settings.getPublishingAuth, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      })),
      updateSitePublishingAuthById: serve(settings.updatePublishingAuth, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: payload
      })),
      regenerateSitePublishingAuthById: serve(settings.regeneratePrivateKey, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId
      }))
    })
)
