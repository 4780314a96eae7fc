/** The public names of sites in `@lectern/client`. */

export { SiteSectionGroupsApi, SiteSectionsApi } from "./SiteSectionsApi.ts"
export { ShareLinksApi, SiteSpacesApi } from "./SiteSpacesApi.ts"
export { SitesApi } from "./SitesApi.ts"
