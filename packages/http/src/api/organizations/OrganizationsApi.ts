/** The operations on organizations. */
import { Organization, OrganizationId, pageOf } from "@lectern/core"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { describe, describeGroup } from "../describe.ts"
import { reading } from "../errors.ts"
import { page } from "../queries.ts"

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
    }).annotateMerge(describe("Get an organization", "The organization, with what the caller may do in it."))
  )
  .annotateMerge(describeGroup("Organizations", "The tenants that own content and have members."))
