/** The operations on organizations. */
import {
  Domain,
  Organization,
  OrganizationId,
  OrganizationsOfDomain,
  pageOf,
  UpdateOrganization
} from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"

/** The group of operations on organizations. */
export const OrganizationsApi = HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("listOrganizationsForAuthenticatedUser", "/orgs", {
      query: page,
      success: pageOf(Organization),
      error: reading
    }).annotateMerge(
      describe(
        "List organizations",
        "The organizations that the caller is a member of, the last joined first."
      )
    ),
    HttpApiEndpoint.get("getOrganizationById", "/orgs/:organizationId", {
      params: { organizationId: OrganizationId },
      success: Organization,
      error: reading
    }).annotateMerge(describe("Get an organization", "The organization, with what the caller may do in it.")),
    HttpApiEndpoint.patch("updateOrganizationById", "/orgs/:organizationId", {
      params: { organizationId: OrganizationId },
      payload: UpdateOrganization,
      success: Organization,
      error: editing
    }).annotateMerge(
      describe("Update an organization", "Changes the fields that are given; the others stay.")
    ),
    HttpApiEndpoint.get("getOrganizationsForEmailDomain", "/email-domains/:emailDomain/orgs", {
      params: { emailDomain: Domain },
      success: OrganizationsOfDomain,
      error: reading
    }).annotateMerge(
      describe(
        "List the organizations of an e-mail domain",
        "Those that name the domain as theirs, for callers whose own address is in it; none for others."
      )
    )
  )
  .annotateMerge(describeGroup("Organizations", "The tenants that own content and have members."))
