/** Handlers of the operations on the spaces on a site, and on its share links. */

import { ShareLinksApi, SiteSpacesApi } from "@lectern/client"
import { ShareLinks, SiteSpaces } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on the spaces on a site, implemented. */
export const siteSpaces = Effect.map(SiteSpaces, (siteSpaces) =>
  implement(SiteSpacesApi, {
    listSiteSpaces: ({ params, query }) => siteSpaces.list(params.organizationId, params.siteId, query),
    addSpaceToSite: ({ params, payload }) => siteSpaces.add(params.organizationId, params.siteId, payload),
    deleteSiteSpaceById: ({ params }) =>
      siteSpaces.remove(params.organizationId, params.siteId, params.siteSpaceId),
    updateSiteSpaceById: ({ params, payload }) =>
      siteSpaces.update(params.organizationId, params.siteId, params.siteSpaceId, payload),
    moveSiteSpace: ({ params, payload }) =>
      siteSpaces.move(params.organizationId, params.siteId, params.siteSpaceId, payload)
  })
)

/** The operations on share links, implemented. */
export const shareLinks = Effect.map(ShareLinks, (links) =>
  implement(ShareLinksApi, {
    listSiteShareLinks: ({ params, query }) => links.list(params.organizationId, params.siteId, query),
    createSiteShareLink: ({ params, payload }) => links.create(params.organizationId, params.siteId, payload),
    deleteSiteShareLinkById: ({ params }) =>
      links.remove(params.organizationId, params.siteId, params.shareLinkId),
    updateSiteShareLinkById: ({ params, payload }) =>
      links.update(params.organizationId, params.siteId, params.shareLinkId, payload)
  })
)
