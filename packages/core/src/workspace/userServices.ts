/** The services that act for a user, by the names that hosts use: one list for the Promise facade and its types. */
import { ChangeRequests } from "../features/change-requests/ChangeRequests.ts"
import { Collections } from "../features/collections/Collections.ts"
import { Comments } from "../features/comments/Comments.ts"
import { Content } from "../features/content/Content.ts"
import { Imports } from "../features/imports/Imports.ts"
import { Installations } from "../features/integrations/Installations.ts"
import { Integrations } from "../features/integrations/Integrations.ts"
import { Links } from "../features/links/Links.ts"
import { OpenApiSpecs } from "../features/openapi-specs/OpenApiSpecs.ts"
import { Invites } from "../features/organizations/Invites.ts"
import { Members } from "../features/organizations/Members.ts"
import { Organizations } from "../features/organizations/Organizations.ts"
import { Teams } from "../features/organizations/Teams.ts"
import { Pdfs } from "../features/pdf/Pdfs.ts"
import { Permissions } from "../features/permissions/Permissions.ts"
import { SamlProviders } from "../features/saml/SamlProviders.ts"
import { Search } from "../features/search/Search.ts"
import { PublishedSites } from "../features/sites/PublishedSites.ts"
import { ShareLinks } from "../features/sites/ShareLinks.ts"
import { SiteSectionGroups } from "../features/sites/SiteSectionGroups.ts"
import { SiteSections } from "../features/sites/SiteSections.ts"
import { SiteSettings } from "../features/sites/SiteSettings.ts"
import { SiteSpaces } from "../features/sites/SiteSpaces.ts"
import { Sites } from "../features/sites/Sites.ts"
import { Spaces } from "../features/spaces/Spaces.ts"
import { Translations } from "../features/translations/Translations.ts"
import { Users } from "../features/users/Users.ts"
import type { Promised } from "./promised.ts"

export const userServices = {
  users: Users,
  organizations: Organizations,
  members: Members,
  teams: Teams,
  invites: Invites,
  samlProviders: SamlProviders,
  permissions: Permissions,
  collections: Collections,
  spaces: Spaces,
  content: Content,
  imports: Imports,
  changeRequests: ChangeRequests,
  comments: Comments,
  sites: Sites,
  siteSections: SiteSections,
  siteSectionGroups: SiteSectionGroups,
  siteSpaces: SiteSpaces,
  shareLinks: ShareLinks,
  siteSettings: SiteSettings,
  publishedSites: PublishedSites,
  translations: Translations,
  integrations: Integrations,
  installations: Installations,
  openApiSpecs: OpenApiSpecs,
  search: Search,
  links: Links,
  pdfs: Pdfs
} as const

type UserServiceTags = typeof userServices

/** The services that act for a user. */
export type UserServices = InstanceType<UserServiceTags[keyof UserServiceTags]>

/** The services of a workspace on behalf of one user, with promises. */
export type PromisedUserServices = {
  readonly [K in keyof UserServiceTags]: Promised<UserServiceTags[K]["Service"]>
}
