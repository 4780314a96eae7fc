/** The events that are recorded from changed rows. */

import {
  CustomFontEventData,
  ShareLinkEventData,
  SiteEventData,
  SiteExternalLinkEventData,
  SiteMcpServerEventData,
  SiteRedirectEventData,
  SiteScriptEventData,
  SiteSectionEventData,
  SiteSectionGroupEventData,
  SiteSettingsEventData,
  SiteSpaceCustomizationEventData,
  SiteSpaceEventData
} from "@lectern/model/sites"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { customFonts } from "./customFontTables.ts"
import { shareLinks } from "./shareLinkTable.ts"
import { siteExternalLinks } from "./siteExternalLinkTable.ts"
import { siteMcpServers } from "./siteMcpServerTable.ts"
import { siteRedirects } from "./siteRedirectTable.ts"
import { siteScripts } from "./siteScriptTable.ts"
import { siteSectionGroups, siteSections } from "./siteSectionTables.ts"
import { siteSettings } from "./siteSettingsTable.ts"
import { siteSpaceCustomizations } from "./siteSpaceCustomizationTable.ts"
import { siteSpaces } from "./siteSpaceTable.ts"
import { sites } from "./siteTable.ts"

/** The events of sites. */
export const siteEvents = resourceEvents("site", "A docs site.", sites, {
  data: SiteEventData,
  actions: ["published", "unpublished"],
  actionOf: ({ published }) => (published === undefined ? undefined : published ? "published" : "unpublished")
})

/** The events of the settings of sites. */
export const siteSettingsEvents = resourceEvents("siteSettings", "The settings of a site.", siteSettings, {
  data: SiteSettingsEventData
})

/** The events of the customizations of spaces on sites. */
export const siteSpaceCustomizationEvents = resourceEvents(
  "siteSpaceCustomization",
  "The values of the customization of a site that a space on it overrides.",
  siteSpaceCustomizations,
  { data: SiteSpaceCustomizationEventData }
)

/** The events of fonts of organizations, without their files. */
export const customFontEvents = resourceEvents("customFont", "A font of an organization.", customFonts, {
  data: CustomFontEventData
})

/** The events of scripts of sites, without their sources. */
export const siteScriptEvents = resourceEvents("siteScript", "A script of a site.", siteScripts, {
  data: SiteScriptEventData
})

/** The events of section groups. */
export const siteSectionGroupEvents = resourceEvents(
  "siteSectionGroup",
  "A group of sections of a site.",
  siteSectionGroups,
  {
    data: SiteSectionGroupEventData
  }
)

/** The events of links in structures. */
export const siteExternalLinkEvents = resourceEvents(
  "siteExternalLink",
  "A link to another website in the structure of a site.",
  siteExternalLinks,
  { data: SiteExternalLinkEventData }
)

/** The events of sections. */
export const siteSectionEvents = resourceEvents("siteSection", "A section of a site.", siteSections, {
  data: SiteSectionEventData
})

/** The events of spaces on sites. */
export const siteSpaceEvents = resourceEvents("siteSpace", "A space on a site.", siteSpaces, {
  data: SiteSpaceEventData
})

/** The events of share links, without their keys. */
export const shareLinkEvents = resourceEvents(
  "shareLink",
  "A share link of a site, without its key.",
  shareLinks,
  {
    data: ShareLinkEventData
  }
)

/** The events of redirects. */
export const siteRedirectEvents = resourceEvents("siteRedirect", "A redirect of a site.", siteRedirects, {
  data: SiteRedirectEventData
})

/** The events of MCP servers of sites, without their headers. */
export const siteMcpServerEvents = resourceEvents(
  "siteMcpServer",
  "An MCP server that an assistant of a site can use, without its headers.",
  siteMcpServers,
  { data: SiteMcpServerEventData }
)
