/** The operations on the sections of sites. */
import type { SiteSectionGroupsApi, SiteSectionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const siteSections = {
  listSiteSections: { serves: "SiteSections.list", rule: "site.view", statements: 9 },
  addSectionToSite: {
    serves: "SiteSections.add",
    rule: ["site.edit", "space.publish"],
    pathRule: "site.edit",
    statements: 20,
    repeated: "409",
    body: ({ ids }) => ({ spaceId: ids.spaceId })
  },
  deleteSiteSectionById: {
    serves: "SiteSections.remove",
    rule: "site.edit",
    statements: 21,
    repeated: "404"
  },
  updateSiteSectionById: {
    serves: "SiteSections.update",
    rule: "site.edit",
    statements: 16,
    body: () => ({ title: "New" })
  },
  moveSiteSection: { serves: "SiteSections.move", rule: "site.edit", statements: 16, body: () => ({}) }
} satisfies RowsOf<typeof SiteSectionsApi>

export const siteSectionGroups = {
  listSiteSectionGroups: { serves: "SiteSectionGroups.list", rule: "site.view", statements: 8 },
  addSectionGroupToSite: {
    serves: "SiteSectionGroups.add",
    rule: "site.edit",
    statements: 15,
    repeated: "another",
    body: () => ({ title: "New" })
  },
  deleteSiteSectionGroupById: {
    serves: "SiteSectionGroups.remove",
    rule: "site.edit",
    statements: 17,
    repeated: "404"
  },
  updateSiteSectionGroupById: {
    serves: "SiteSectionGroups.update",
    rule: "site.edit",
    statements: 16,
    body: () => ({ title: "New" })
  },
  addSectionToGroup: {
    serves: "SiteSectionGroups.addSection",
    rule: "site.edit",
    statements: 16,
    body: ({ ids }) => ({ sectionId: ids.siteSectionId })
  },
  removeSectionFromGroup: {
    serves: "SiteSectionGroups.removeSection",
    rule: "site.edit",
    statements: 15,
    repeated: "404"
  },
  moveSiteSectionGroup: {
    serves: "SiteSectionGroups.move",
    rule: "site.edit",
    statements: 16,
    body: () => ({})
  }
} satisfies RowsOf<typeof SiteSectionGroupsApi>
