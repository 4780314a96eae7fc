/** Handlers of the endpoints for the spaces on a site and its share links. */
import { ShareLinksApi, SiteSpacesApi } from "@lectern/client"
import { ShareLinks, SiteSpaceCustomizations, SiteSpaces } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the spaces on a site. */
export const siteSpaces = Effect.map(
  Effect.all([SiteSpaces, SiteSpaceCustomizations]),
  ([siteSpaces, customizations]) =>
    implement(SiteSpacesApi, {
      listSiteSpaces: serve(siteSpaces.list, ({ params, query }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: query
      })),
      addSpaceToSite: serve(siteSpaces.add, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        input: payload
      })),
      deleteSiteSpaceById: serve(siteSpaces.remove, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId,
        siteSpace: params.siteSpaceId
      })),
      updateSiteSpaceById: serve(siteSpaces.update, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        siteSpace: params.siteSpaceId,
        input: payload
      })),
      getSiteSpaceCustomizationById: serve(customizations.get, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId,
        siteSpace: params.siteSpaceId
      })),
      overrideSiteSpaceCustomizationById: serve(customizations.override, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        siteSpace: params.siteSpaceId,
        input: payload
      })),
      deleteSiteSpaceCustomizationById: serve(customizations.remove, ({ params }) => ({
        organization: params.organizationId,
        site: params.siteId,
        siteSpace: params.siteSpaceId
      })),
      moveSiteSpace: serve(siteSpaces.move, ({ params, payload }) => ({
        organization: params.organizationId,
        site: params.siteId,
        siteSpace: params.siteSpaceId,
        input: payload
      }))
    })
)

/** The handlers of the endpoints for share links. */
export const shareLinks = Effect.map(ShareLinks, (links) =>
  implement(ShareLinksApi, {
    listSiteShareLinks: serve(links.list, ({ params, query }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: query
    })),
    createSiteShareLink: serve(links.create, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      input: payload
    })),
    deleteSiteShareLinkById: serve(links.remove, ({ params }) => ({
      organization: params.organizationId,
      site: params.siteId,
      shareLink: params.shareLinkId
    })),
    updateSiteShareLinkById: serve(links.update, ({ params, payload }) => ({
      organization: params.organizationId,
      site: params.siteId,
      shareLink: params.shareLinkId,
      input: payload
    }))
  })
)
