/** The public names of sites in `@lectern/model/api`. */

export { PublishedContentApi } from "./PublishedContentApi.ts"
export { SiteRedirectsApi } from "./SiteRedirectsApi.ts"
export { SiteSectionGroupsApi, SiteSectionsApi } from "./SiteSectionsApi.ts"
export { ShareLinksApi, SiteSpacesApi } from "./SiteSpacesApi.ts"
export { SitesApi } from "./SitesApi.ts"
