/** The public API of `@lectern/client`. */

export {
  Conflict,
  Forbidden,
  Gone,
  InvalidInput,
  NotFound,
  PreconditionFailed,
  Unauthenticated,
  UpstreamFailed,
  UpstreamTimeout
} from "@lectern/core"
export { Api } from "./api/Api.ts"
export { ChangeRequestContentApi } from "./api/change-requests/ChangeRequestContentApi.ts"
export { ChangeRequestsApi } from "./api/change-requests/ChangeRequestsApi.ts"
export { CollectionsApi } from "./api/collections/CollectionsApi.ts"
export { ChangeRequestCommentsApi, CommentsApi } from "./api/comments/CommentsApi.ts"
export { ContentApi } from "./api/content/ContentApi.ts"
export { RevisionsApi } from "./api/content/RevisionsApi.ts"
export { IntegrationsApi } from "./api/integrations/IntegrationsApi.ts"
export { LinksApi } from "./api/links/LinksApi.ts"
export { OpenApiSpecsApi } from "./api/openapi-specs/OpenApiSpecsApi.ts"
export { InvitesApi } from "./api/organizations/InvitesApi.ts"
export { MembersApi } from "./api/organizations/MembersApi.ts"
export { OrganizationsApi } from "./api/organizations/OrganizationsApi.ts"
export { TeamsApi } from "./api/organizations/TeamsApi.ts"
export { PdfApi } from "./api/pdf/PdfApi.ts"
export { CollectionPermissionsApi, SpacePermissionsApi } from "./api/permissions/PermissionsApi.ts"
export { SamlApi } from "./api/saml/SamlApi.ts"
export { SearchApi } from "./api/search/SearchApi.ts"
export { Immutable } from "./api/shared/immutable.ts"
export { SiteSectionGroupsApi, SiteSectionsApi } from "./api/sites/SiteSectionsApi.ts"
export { ShareLinksApi, SiteSpacesApi } from "./api/sites/SiteSpacesApi.ts"
export { SitesApi } from "./api/sites/SitesApi.ts"
export { SpacesApi } from "./api/spaces/SpacesApi.ts"
export { TranslationsApi } from "./api/translations/TranslationsApi.ts"
export { UsersApi } from "./api/users/UsersApi.ts"
export * from "./clientErrors.ts"
export type { ClientOptions } from "./clientOptions.ts"
export { type CreateClientOptions, createClient } from "./createClient.ts"
export { type EffectClient, makeClient } from "./makeClient.ts"
export type { CallOptions, PromiseClient } from "./PromiseClient.ts"
export { type PageCursor, paginate } from "./paginate.ts"
