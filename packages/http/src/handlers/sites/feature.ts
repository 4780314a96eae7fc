/** The handlers of the endpoints of sites. */

import { publishedContent } from "./publishedContent.ts"
import { siteRedirects } from "./siteRedirects.ts"
import { siteSectionGroups, siteSections } from "./siteSections.ts"
import { shareLinks, siteSpaces } from "./siteSpaces.ts"
import { sites } from "./sites.ts"

/** The handlers of each group of endpoints of sites, by the name of the group. */
export const sitesHandlers = {
  sites,
  siteSections,
  siteSectionGroups,
  siteSpaces,
  shareLinks,
  siteRedirects,
  publishedContent
}
