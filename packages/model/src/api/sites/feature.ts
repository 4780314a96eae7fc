import { CustomFontsApi } from "./CustomFontsApi.ts"
import { PublishedContentApi } from "./PublishedContentApi.ts"
import { HostnamesApi, SiteAdministrationApi } from "./SiteAdministrationApi.ts"
import { SiteExternalLinksApi } from "./SiteExternalLinksApi.ts"
import { SiteMcpServersApi } from "./SiteMcpServersApi.ts"
import { SiteRedirectsApi } from "./SiteRedirectsApi.ts"
import { SiteScriptsApi } from "./SiteScriptsApi.ts"
import { SiteSectionGroupsApi, SiteSectionsApi } from "./SiteSectionsApi.ts"
import { ShareLinksApi, SiteSpacesApi } from "./SiteSpacesApi.ts"
import { SitesApi } from "./SitesApi.ts"

export const groups: readonly [
  typeof SitesApi,
  typeof SiteSectionsApi,
  typeof SiteSectionGroupsApi,
  typeof SiteExternalLinksApi,
  typeof SiteSpacesApi,
  typeof ShareLinksApi,
  typeof SiteRedirectsApi,
  typeof SiteAdministrationApi,
  typeof HostnamesApi,
  typeof SiteMcpServersApi,
  typeof CustomFontsApi,
  typeof SiteScriptsApi,
  typeof PublishedContentApi
] = [
  SitesApi,
  SiteSectionsApi,
  SiteSectionGroupsApi,
  SiteExternalLinksApi,
  SiteSpacesApi,
  ShareLinksApi,
  SiteRedirectsApi,
  SiteAdministrationApi,
  HostnamesApi,
  SiteMcpServersApi,
  CustomFontsApi,
  SiteScriptsApi,
  PublishedContentApi
]
