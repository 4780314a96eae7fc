/** The operations on the spaces and share links of sites. */
import type { ShareLinksApi, SiteSpacesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const siteSpaces = {
  listSiteSpaces: { serves: "SiteSpaces.list", rule: "site.view", statements: 9 },
  addSpaceToSite: {
    serves: "SiteSpaces.add",
    rule: ["site.edit", "space.publish"],
    pathRule: "site.edit",
    statements: 19,
    repeated: "409",
    body: ({ ids }) => ({ spaceId: ids.spaceId, sectionId: ids.siteSectionId })
  },
  deleteSiteSpaceById: { serves: "SiteSpaces.remove", rule: "site.edit", statements: 18, repeated: "404" },
  updateSiteSpaceById: {
    serves: "SiteSpaces.update",
    rule: "site.edit",
    statements: 16,
    body: () => ({ path: "new" })
  },
  getSiteSpaceCustomizationById: {
    serves: "SiteSpaceCustomizations.get",
    rule: "site.view",
    statements: 9
  },
  overrideSiteSpaceCustomizationById: {
    serves: "SiteSpaceCustomizations.override",
    rule: "site.edit",
    statements: 12,
    body: () => ({ title: "New" })
  },
  deleteSiteSpaceCustomizationById: {
    serves: "SiteSpaceCustomizations.remove",
    rule: "site.edit",
    statements: 9
  },
  moveSiteSpace: { serves: "SiteSpaces.move", rule: "site.edit", statements: 16, body: () => ({}) }
} satisfies RowsOf<typeof SiteSpacesApi>

export const shareLinks = {
  listSiteShareLinks: { serves: "ShareLinks.list", rule: "site.edit", statements: 6 },
  createSiteShareLink: {
    serves: "ShareLinks.create",
    rule: "site.edit",
    statements: 7,
    repeated: "another",
    body: () => ({ name: "New" })
  },
  deleteSiteShareLinkById: { serves: "ShareLinks.remove", rule: "site.edit", statements: 9, repeated: "404" },
  updateSiteShareLinkById: {
    serves: "ShareLinks.update",
    rule: "site.edit",
    statements: 9,
    body: () => ({ name: "New" })
  }
} satisfies RowsOf<typeof ShareLinksApi>
