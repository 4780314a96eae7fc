import { SiteExternalLinksApi, SiteSectionGroupsApi, SiteSectionsApi } from "@lectern/client"
import { SiteExternalLinks, SiteSectionGroups, SiteSections } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const siteSections = Effect.map(SiteSections, (sections) =>
  implement(SiteSectionsApi, {
    listSiteSections: sections.list,
    addSectionToSite: sections.add,
    deleteSiteSectionById: sections.remove,
    updateSiteSectionById: sections.update,
    moveSiteSection: sections.move
  })
)

export const siteExternalLinks = Effect.map(SiteExternalLinks, (links) =>
  implement(SiteExternalLinksApi, {
    addExternalLinkToSite: links.add,
    updateSiteExternalLinkById: links.update,
    deleteSiteExternalLinkById: links.remove
  })
)

export const siteSectionGroups = Effect.map(SiteSectionGroups, (groups) =>
  implement(SiteSectionGroupsApi, {
    listSiteSectionGroups: groups.list,
    addSectionGroupToSite: groups.add,
    deleteSiteSectionGroupById: groups.remove,
    updateSiteSectionGroupById: groups.update,
    addSectionToGroup: groups.addSection,
    removeSectionFromGroup: groups.removeSection,
    moveSiteSectionGroup: groups.move
  })
)
