/** Handlers of the endpoints for the spaces on a site and its share links. */
import { ShareLinksApi, SiteSpacesApi } from "@lectern/client"
import { ShareLinks, SiteSpaces } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the spaces on a site. */
export const siteSpaces = Effect.map(SiteSpaces, (siteSpaces) =>
  implement(SiteSpacesApi, {
    listSiteSpaces: siteSpaces.list,
    addSpaceToSite: siteSpaces.add,
    deleteSiteSpaceById: siteSpaces.remove,
    updateSiteSpaceById: siteSpaces.update,
    moveSiteSpace: siteSpaces.move
  })
)

/** The handlers of the endpoints for share links. */
export const shareLinks = Effect.map(ShareLinks, (links) =>
  implement(ShareLinksApi, {
    listSiteShareLinks: links.list,
    createSiteShareLink: links.create,
    deleteSiteShareLinkById: links.remove,
    updateSiteShareLinkById: links.update
  })
)
