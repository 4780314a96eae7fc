/** The services that scenarios call. */
import {
  ChangeRequests,
  Collections,
  Comments,
  Content,
  Installations,
  Integrations,
  Invites,
  Members,
  OpenApiSpecs,
  OrganizationOidcProviders,
  Organizations,
  Permissions,
  PublishedSites,
  Reviews,
  Search,
  ShareLinks,
  SiteSectionGroups,
  SiteSections,
  SiteSpaces,
  Sites,
  Spaces,
  Teams,
  Tokens,
  Translations
} from "@lectern/core"

/** The services, by their name in calls. */
export const services = {
  collections: Collections,
  spaces: Spaces,
  organizations: Organizations,
  members: Members,
  teams: Teams,
  tokens: Tokens,
  invites: Invites,
  oidcProviders: OrganizationOidcProviders,
  permissions: Permissions,
  content: Content,
  changeRequests: ChangeRequests,
  reviews: Reviews,
  comments: Comments,
  search: Search,
  sites: Sites,
  publishedSites: PublishedSites,
  siteSections: SiteSections,
  siteSectionGroups: SiteSectionGroups,
  siteSpaces: SiteSpaces,
  shareLinks: ShareLinks,
  translations: Translations,
  specs: OpenApiSpecs,
  integrations: Integrations,
  installations: Installations
} as const

/** The name of a service in a call. */
export type ServiceName = keyof typeof services
