import { ShareLinksApi, SiteSpacesApi } from "@lectern/client"
import { ShareLinks, SiteSpaceCustomizations, SiteSpaces } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const siteSpaces = Effect.map(
  Effect.all([SiteSpaces, SiteSpaceCustomizations]),
  ([siteSpaces, customizations]) =>
    implement(SiteSpacesApi, {
      listSiteSpaces: siteSpaces.list,
      addSpaceToSite: siteSpaces.add,
      deleteSiteSpaceById: siteSpaces.remove,
      updateSiteSpaceById: siteSpaces.update,
      duplicateSiteSpace: siteSpaces.duplicate,
      getSiteSpaceCustomizationById: customizations.get,
      overrideSiteSpaceCustomizationById: customizations.override,
      deleteSiteSpaceCustomizationById: customizations.remove,
      moveSiteSpace: siteSpaces.move
    })
)

export const shareLinks = Effect.map(ShareLinks, (links) =>
  implement(ShareLinksApi, {
    listSiteShareLinks: links.list,
    createSiteShareLink: links.create,
    deleteSiteShareLinkById: links.remove,
    updateSiteShareLinkById: links.update
  })
)
