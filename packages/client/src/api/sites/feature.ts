/** The endpoints of sites. */

import { SiteSectionGroupsApi, SiteSectionsApi } from "./SiteSectionsApi.ts"
import { ShareLinksApi, SiteSpacesApi } from "./SiteSpacesApi.ts"
import { SitesApi } from "./SitesApi.ts"

/** The groups of endpoints of sites, in the order of the OpenAPI document. */
export const groups: readonly [
  typeof SitesApi,
  typeof SiteSectionsApi,
  typeof SiteSectionGroupsApi,
  typeof SiteSpacesApi,
  typeof ShareLinksApi
] = [SitesApi, SiteSectionsApi, SiteSectionGroupsApi, SiteSpacesApi, ShareLinksApi]
