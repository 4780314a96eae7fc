/** The whole of `/v1`, as its groups. */
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { ChangeRequestContentApi } from "./change-requests/ChangeRequestContentApi.ts"
import { ChangeRequestsApi } from "./change-requests/ChangeRequestsApi.ts"
import { CollectionsApi } from "./collections/CollectionsApi.ts"
import { ChangeRequestCommentsApi, CommentsApi } from "./comments/CommentsApi.ts"
import { ContentApi } from "./content/ContentApi.ts"
import { RevisionsApi } from "./content/RevisionsApi.ts"
import { IntegrationsApi } from "./integrations/IntegrationsApi.ts"
import { LinksApi } from "./links/LinksApi.ts"
import { OpenApiSpecsApi } from "./openapi-specs/OpenApiSpecsApi.ts"
import { InvitesApi } from "./organizations/InvitesApi.ts"
import { MembersApi } from "./organizations/MembersApi.ts"
import { OrganizationsApi } from "./organizations/OrganizationsApi.ts"
import { TeamsApi } from "./organizations/TeamsApi.ts"
import { PdfApi } from "./pdf/PdfApi.ts"
import { CollectionPermissionsApi, SpacePermissionsApi } from "./permissions/PermissionsApi.ts"
import { SamlApi } from "./saml/SamlApi.ts"
import { SearchApi } from "./search/SearchApi.ts"
import { SiteSectionGroupsApi, SiteSectionsApi } from "./sites/SiteSectionsApi.ts"
import { ShareLinksApi, SiteSpacesApi } from "./sites/SiteSpacesApi.ts"
import { SitesApi } from "./sites/SitesApi.ts"
import { SpacesApi } from "./spaces/SpacesApi.ts"
import { TranslationsApi } from "./translations/TranslationsApi.ts"
import { UsersApi } from "./users/UsersApi.ts"

/** The groups of operations, as `Api` has them. Named here so that the type of `Api` refers to them by their names. */
type Groups =
  | typeof UsersApi
  | typeof OrganizationsApi
  | typeof MembersApi
  | typeof TeamsApi
  | typeof InvitesApi
  | typeof SamlApi
  | typeof CollectionPermissionsApi
  | typeof SpacePermissionsApi
  | typeof CollectionsApi
  | typeof SpacesApi
  | typeof ContentApi
  | typeof RevisionsApi
  | typeof ChangeRequestsApi
  | typeof ChangeRequestContentApi
  | typeof CommentsApi
  | typeof ChangeRequestCommentsApi
  | typeof SitesApi
  | typeof SiteSectionsApi
  | typeof SiteSectionGroupsApi
  | typeof SiteSpacesApi
  | typeof ShareLinksApi
  | typeof TranslationsApi
  | typeof IntegrationsApi
  | typeof OpenApiSpecsApi
  | typeof SearchApi
  | typeof LinksApi
  | typeof PdfApi

/** Every operation of `/v1` with its schemas: what the server, the OpenAPI document and typed clients are made from. */
export const Api: HttpApi.HttpApi<"lectern", HttpApiGroup.AddPrefix<Groups, "/v1">> = HttpApi.make("lectern")
  .add(
    UsersApi,
    OrganizationsApi,
    MembersApi,
    TeamsApi,
    InvitesApi,
    SamlApi,
    CollectionPermissionsApi,
    SpacePermissionsApi,
    CollectionsApi,
    SpacesApi,
    ContentApi,
    RevisionsApi,
    ChangeRequestsApi,
    ChangeRequestContentApi,
    CommentsApi,
    ChangeRequestCommentsApi,
    SitesApi,
    SiteSectionsApi,
    SiteSectionGroupsApi,
    SiteSpacesApi,
    ShareLinksApi,
    TranslationsApi,
    IntegrationsApi,
    OpenApiSpecsApi,
    SearchApi,
    LinksApi,
    PdfApi
  )
  .prefix("/v1")
  .annotateMerge(
    OpenApi.annotations({
      title: "Lectern",
      version: "1.0.0",
      description:
        "The API of a documentation workspace: organizations and members, collections and spaces of versioned content, change requests, comments and docs sites."
    })
  )
