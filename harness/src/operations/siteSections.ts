/** The operations on the sections of sites. */
import type { SiteExternalLinksApi, SiteSectionGroupsApi, SiteSectionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const siteSections = {
  listSiteSections: { serves: "SiteSections.list", rule: "site.view" },
  addSectionToSite: {
    serves: "SiteSections.add",
    rule: ["site.edit", "space.publish"],
    pathRule: "site.edit",
    repeated: "409",
    body: ({ ids }) => ({ spaceId: ids.spaceId })
  },
  deleteSiteSectionById: {
    serves: "SiteSections.remove",
    rule: "site.edit",
    repeated: "404"
  },
  updateSiteSectionById: {
    serves: "SiteSections.update",
    rule: "site.edit",
    body: () => ({ title: "New" })
  },
  moveSiteSection: { serves: "SiteSections.move", rule: "site.edit", body: () => ({}) }
} satisfies RowsOf<typeof SiteSectionsApi>

export const siteSectionGroups = {
  listSiteSectionGroups: { serves: "SiteSectionGroups.list", rule: "site.view" },
  addSectionGroupToSite: {
    serves: "SiteSectionGroups.add",
    rule: "site.edit",
    repeated: "another",
    body: () => ({ title: "New" })
  },
  deleteSiteSectionGroupById: {
    serves: "SiteSectionGroups.remove",
    rule: "site.edit",
    repeated: "404"
  },
  updateSiteSectionGroupById: {
    serves: "SiteSectionGroups.update",
    rule: "site.edit",
    body: () => ({ title: "New" })
  },
  addSectionToGroup: {
    serves: "SiteSectionGroups.addSection",
    rule: "site.edit",
    body: ({ ids }) => ({ sectionId: ids.siteSectionId })
  },
  removeSectionFromGroup: {
    serves: "SiteSectionGroups.removeSection",
    rule: "site.edit",
    repeated: "404"
  },
  moveSiteSectionGroup: {
    serves: "SiteSectionGroups.move",
    rule: "site.edit",
    body: () => ({})
  }
} satisfies RowsOf<typeof SiteSectionGroupsApi>

export const siteExternalLinks = {
  addExternalLinkToSite: {
    serves: "SiteExternalLinks.add",
    rule: "site.edit",
    repeated: "another",
    body: ({ ids }) => ({ title: "New", url: "https://example.com/", parent: ids.siteSectionGroupId })
  },
  updateSiteExternalLinkById: {
    serves: "SiteExternalLinks.update",
    rule: "site.edit",
    body: () => ({ title: "New" })
  },
  deleteSiteExternalLinkById: {
    serves: "SiteExternalLinks.remove",
    rule: "site.edit",
    repeated: "404"
  }
} satisfies RowsOf<typeof SiteExternalLinksApi>
