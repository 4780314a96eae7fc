/** The operations on the spaces and share links of sites. */
import type { ShareLinksApi, SiteSpacesApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const siteSpaces = {
  listSiteSpaces: { serves: "SiteSpaces.list", rule: "site.view" },
  addSpaceToSite: {
    serves: "SiteSpaces.add",
    rule: ["site.edit", "space.publish"],
    pathRule: "site.edit",
    repeated: "409",
    body: ({ ids }) => ({ spaceId: ids.spaceId, sectionId: ids.siteSectionId })
  },
  deleteSiteSpaceById: { serves: "SiteSpaces.remove", rule: "site.edit", repeated: "404" },
  updateSiteSpaceById: {
    serves: "SiteSpaces.update",
    rule: "site.edit",
    body: () => ({ path: "new" })
  },
  duplicateSiteSpace: {
    serves: "SiteSpaces.duplicate",
    rule: ["site.edit", "siteSpace.duplicate"],
    repeated: "another"
  },
  getSiteSpaceCustomizationById: {
    serves: "SiteSpaceCustomizations.get",
    rule: "site.view"
  },
  overrideSiteSpaceCustomizationById: {
    serves: "SiteSpaceCustomizations.override",
    rule: "site.edit",
    body: () => ({ title: "New" })
  },
  deleteSiteSpaceCustomizationById: {
    serves: "SiteSpaceCustomizations.remove",
    rule: "site.edit"
  },
  moveSiteSpace: { serves: "SiteSpaces.move", rule: "site.edit", body: () => ({}) }
} satisfies RowsOf<typeof SiteSpacesApi>

export const shareLinks = {
  listSiteShareLinks: { serves: "ShareLinks.list", rule: "site.edit" },
  createSiteShareLink: {
    serves: "ShareLinks.create",
    rule: "site.edit",
    repeated: "another",
    body: () => ({ name: "New" })
  },
  deleteSiteShareLinkById: { serves: "ShareLinks.remove", rule: "site.edit", repeated: "404" },
  updateSiteShareLinkById: {
    serves: "ShareLinks.update",
    rule: "site.edit",
    body: () => ({ name: "New" })
  }
} satisfies RowsOf<typeof ShareLinksApi>
