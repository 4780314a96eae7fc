import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateSamlProvider,
  OrganizationId,
  pageOf,
  SamlProvider,
  SamlProviderId,
  SsoLogins,
  UpdateSamlProvider
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

const organization = { organizationId: OrganizationId }
const provider = { ...organization, samlProviderId: SamlProviderId }

/** The group of operations on SAML providers. */
export const SamlApi = HttpApiGroup.make("saml")
  .add(
    HttpApiEndpoint.get("listSAMLProvidersInOrganizationById", "/orgs/:organizationId/saml", {
      params: organization,
      query: page,
      success: pageOf(SamlProvider),
      error: reading
    }).annotateMerge(
      describe("List SAML providers", "Returns the SAML providers of the organization, newest first.")
    ),
    HttpApiEndpoint.post("createOrganizationSAMLProvider", "/orgs/:organizationId/saml", {
      params: organization,
      payload: CreateSamlProvider,
      success: created(SamlProvider),
      error: changing
    }).annotateMerge(
      describe(
        "Create a SAML provider",
        "Creates a SAML provider. Users can log in with it once its entity id, certificate and single sign-on URL are set."
      )
    ),
    HttpApiEndpoint.get("getOrganizationSAMLProviderById", "/orgs/:organizationId/saml/:samlProviderId", {
      params: provider,
      success: SamlProvider,
      error: reading
    }).annotateMerge(
      describe("Get a SAML provider", "Returns the provider, with the URLs of Lectern to configure it with.")
    ),
    HttpApiEndpoint.patch("updateOrganizationSAMLProvider", "/orgs/:organizationId/saml/:samlProviderId", {
      params: provider,
      payload: UpdateSamlProvider,
      success: SamlProvider,
      error: editing
    }).annotateMerge(
      describe(
        "Update a SAML provider",
        "Updates the fields that the request contains, and leaves the others unchanged."
      )
    ),
    HttpApiEndpoint.delete("deleteOrganizationSAMLProvider", "/orgs/:organizationId/saml/:samlProviderId", {
      params: provider,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe(
        "Delete a SAML provider",
        "Deletes the provider, with which users can no longer log in. Existing members are not affected."
      )
    ),
    HttpApiEndpoint.get("listSSOProviderLoginsInOrganization", "/orgs/:organizationId/sso", {
      params: organization,
      success: SsoLogins,
      error: reading
    }).annotateMerge(
      describe(
        "List logins",
        "Returns the active SAML providers with which members of the organization can log in, newest first."
      )
    )
  )
  .annotateMerge(describeGroup("SAML providers and SSO", "The SAML identity providers of organizations."))
