import { customFonts } from "./customFonts.ts"
import { publishedContent } from "./publishedContent.ts"
import { hostnames, siteAdministration } from "./siteAdministration.ts"
import { siteMcpServers } from "./siteMcpServers.ts"
import { siteRedirects } from "./siteRedirects.ts"
import { siteScripts } from "./siteScripts.ts"
import { siteExternalLinks, siteSectionGroups, siteSections } from "./siteSections.ts"
import { shareLinks, siteSpaces } from "./siteSpaces.ts"
import { sites } from "./sites.ts"

export const sitesHandlers = {
  sites,
  siteSections,
  siteSectionGroups,
  siteExternalLinks,
  siteSpaces,
  shareLinks,
  siteRedirects,
  siteAdministration,
  hostnames,
  siteMcpServers,
  customFonts,
  siteScripts,
  publishedContent
}
