/** What `@lectern/client` exports of sites. */

export { SiteSectionGroupsApi, SiteSectionsApi } from "./SiteSectionsApi.ts"
export { ShareLinksApi, SiteSpacesApi } from "./SiteSpacesApi.ts"
export { SitesApi } from "./SitesApi.ts"
