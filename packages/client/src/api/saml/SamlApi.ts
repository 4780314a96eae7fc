/** The operations on SAML providers. */
import {
  CreateSamlProvider,
  OrganizationId,
  pageOf,
  SamlProvider,
  SamlProviderId,
  SsoLogins,
  UpdateSamlProvider
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
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
    }).annotateMerge(describe("List SAML providers", "Those of the organization, newest first.")),
    HttpApiEndpoint.post("createOrganizationSAMLProvider", "/orgs/:organizationId/saml", {
      params: organization,
      payload: CreateSamlProvider,
      success: SamlProvider.pipe(HttpApiSchema.status(201)),
      error: changing
    }).annotateMerge(
      describe(
        "Create a SAML provider",
        "It is active, and people can log in by it, once its entity id, certificate and address are set."
      )
    ),
    HttpApiEndpoint.get("getOrganizationSAMLProviderById", "/orgs/:organizationId/saml/:samlProviderId", {
      params: provider,
      success: SamlProvider,
      error: reading
    }).annotateMerge(describe("Get a SAML provider", "The provider, with what it has to know of Lectern.")),
    HttpApiEndpoint.patch("updateOrganizationSAMLProvider", "/orgs/:organizationId/saml/:samlProviderId", {
      params: provider,
      payload: UpdateSamlProvider,
      success: SamlProvider,
      error: editing
    }).annotateMerge(
      describe("Update a SAML provider", "Changes the fields that are given; the others stay.")
    ),
    HttpApiEndpoint.delete("deleteOrganizationSAMLProvider", "/orgs/:organizationId/saml/:samlProviderId", {
      params: provider,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe("Delete a SAML provider", "Nobody logs in by it any more; those who did stay.")
    ),
    HttpApiEndpoint.get("listSSOProviderLoginsInOrganization", "/orgs/:organizationId/sso", {
      params: organization,
      success: SsoLogins,
      error: reading
    }).annotateMerge(describe("List log-ins", "Where the members of the organization log in, newest first."))
  )
  .annotateMerge(describeGroup("SAML providers and SSO", "Who vouches for the people of an organization."))
