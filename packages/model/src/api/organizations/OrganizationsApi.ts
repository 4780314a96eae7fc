import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  Domain,
  Organization,
  OrganizationId,
  OrganizationsOfDomain,
  OrganizationTrash,
  OrganizationUsage,
  pageOf,
  UpdateOrganization
} from "../../index.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
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
      describe("List organizations", "Returns the organizations of the caller, most recently joined first.")
    ),
    HttpApiEndpoint.get("getOrganizationById", "/orgs/:organizationId", {
      params: { organizationId: OrganizationId },
      success: Organization,
      error: reading
    }).annotateMerge(
      describe("Get an organization", "Returns the organization, with the caller's permissions.")
    ),
    HttpApiEndpoint.patch("updateOrganizationById", "/orgs/:organizationId", {
      params: { organizationId: OrganizationId },
      payload: UpdateOrganization,
      success: Organization,
      error: editing
    }).annotateMerge(
      describe(
        "Update an organization",
        "Updates the fields that the request contains, and leaves the others unchanged."
      )
    ),
    HttpApiEndpoint.delete("deleteOrganizationById", "/orgs/:organizationId", {
      params: { organizationId: OrganizationId },
      success: HttpApiSchema.Empty(205),
      error: editing
    }).annotateMerge(
      describe(
        "Delete an organization",
        "Moves the organization to the trash, from which it can be restored for 30 days. Until then, every other operation on it responds with the status 404, its sites are not published, and its webhooks are not active. After that, it is removed permanently. Requires the role `admin`, and a sign-in in the last 10 minutes of a caller with a session."
      )
    ),
    HttpApiEndpoint.post("restoreOrganization", "/orgs/:organizationId/restore", {
      params: { organizationId: OrganizationId },
      success: HttpApiSchema.Empty(205),
      error: changing
    }).annotateMerge(
      describe(
        "Restore an organization",
        "Restores the organization from the trash, with the sites and webhooks that its deletion has suspended. An organization outside of the trash stays unchanged. Requires the role `admin`, and a sign-in in the last 10 minutes of a caller with a session."
      )
    ),
    HttpApiEndpoint.get("listDeletedOrganizations", "/user/deleted-orgs", {
      success: OrganizationTrash,
      error: reading
    }).annotateMerge(
      describe(
        "List deleted organizations",
        "Returns the organizations in the trash that the caller can restore, the last deleted one first: at most 100."
      )
    ),
    HttpApiEndpoint.get("getOrganizationUsage", "/orgs/:organizationId/usage", {
      params: { organizationId: OrganizationId },
      success: OrganizationUsage,
      error: reading
    }).annotateMerge(
      describe(
        "Get the usage of an organization",
        "Returns how many spaces, members and bytes of content the organization has, each with the maximum that the operator of the server has set. Requires the role `admin`."
      )
    ),
    HttpApiEndpoint.get("getOrganizationsForEmailDomain", "/email-domains/:emailDomain/orgs", {
      params: { emailDomain: Domain },
      success: OrganizationsOfDomain,
      error: reading
    }).annotateMerge(
      describe(
        "List the organizations of an e-mail domain",
        "Returns the organizations whose e-mail domains include this one, if the e-mail address of the caller is in it, and an empty list otherwise."
      )
    )
  )
  .annotateMerge(
    describeGroup("Organizations", "The tenants of the server, which own content and have members.")
  )
