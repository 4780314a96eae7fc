import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateOidcProvider,
  OidcProvider,
  OidcProviderId,
  OrganizationId,
  pageOf,
  UpdateOidcProvider
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const provider = { ...organization, oidcProviderId: OidcProviderId }

/** The group of operations on OpenID Connect providers. */
export const OidcApi = HttpApiGroup.make("oidc")
  .add(
    HttpApiEndpoint.get("listOIDCProvidersInOrganizationById", "/orgs/:organizationId/oidc", {
      params: organization,
      query: page,
      success: pageOf(OidcProvider),
      error: reading
    }).annotateMerge(
      describe(
        "List OpenID Connect providers",
        "Returns the OpenID Connect providers of the organization, newest first."
      )
    ),
    HttpApiEndpoint.post("createOrganizationOIDCProvider", "/orgs/:organizationId/oidc", {
      params: organization,
      payload: CreateOidcProvider,
      success: created(OidcProvider),
      error: changing
    }).annotateMerge(
      describe(
        "Create an OpenID Connect provider",
        "Creates an OpenID Connect provider. Users can log in with it once its issuer and its client id are set."
      )
    ),
    HttpApiEndpoint.get("getOrganizationOIDCProviderById", "/orgs/:organizationId/oidc/:oidcProviderId", {
      params: provider,
      success: OidcProvider,
      error: reading
    }).annotateMerge(
      describe(
        "Get an OpenID Connect provider",
        "Returns the provider, with the URLs of Lectern to configure it with. Its secret is not returned."
      )
    ),
    HttpApiEndpoint.patch("updateOrganizationOIDCProvider", "/orgs/:organizationId/oidc/:oidcProviderId", {
      params: provider,
      payload: UpdateOidcProvider,
      success: OidcProvider,
      error: editing
    }).annotateMerge(
      describe(
        "Update an OpenID Connect provider",
        "Updates the fields that the request contains, and leaves the others unchanged. Another issuer ends the sessions of the provider."
      )
    ),
    HttpApiEndpoint.delete("deleteOrganizationOIDCProvider", "/orgs/:organizationId/oidc/:oidcProviderId", {
      params: provider,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe(
        "Delete an OpenID Connect provider",
        "Deletes the provider, with which users can no longer log in, and ends its sessions. Existing members are not affected."
      )
    )
  )
  .annotateMerge(
    describeGroup("OpenID Connect providers", "The OpenID Connect identity providers of organizations.")
  )
