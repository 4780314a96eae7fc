import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  ApiToken,
  ApiTokenId,
  ApiTokenWithSecret,
  CreateOwnToken,
  ListOrganizationTokens,
  OrganizationId,
  OrganizationToken,
  pageOf,
  RotateOwnToken,
  UpdateOwnToken
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ChangedResource, ReturnsSecret } from "../shared/requestConditions.ts"

const token = { tokenId: ApiTokenId }
const organization = { organizationId: OrganizationId }
const path = "/user/tokens" as const

/** The group of operations on the caller's API tokens. */
export const TokensApi = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("listApiTokens", path, {
      query: page,
      success: pageOf(ApiToken),
      error: reading
    }).annotateMerge(
      describe(
        "List API tokens",
        "Returns the caller's tokens that are not revoked, newest first. A token that is limited to an organization sees only tokens that are limited to it."
      )
    ),
    HttpApiEndpoint.post("createApiToken", path, {
      payload: CreateOwnToken,
      success: created(ApiTokenWithSecret),
      error: changing
    })
      .annotate(ReturnsSecret, always)
      .annotateMerge(
        describe(
          "Create an API token",
          "Creates a token of the caller, which can be limited to reading, to permissions, to an organization, or to a site with the spaces on it. The response contains its secret, which cannot be read again. A token that is created by a single sign-on login ends with the login at the latest."
        )
      ),
    HttpApiEndpoint.get("getApiToken", `${path}/:tokenId`, {
      params: token,
      success: ApiToken,
      error: reading
    }).annotateMerge(describe("Get an API token", "Returns a token of the caller, without its secret.")),
    HttpApiEndpoint.patch("updateApiToken", `${path}/:tokenId`, {
      params: token,
      payload: UpdateOwnToken,
      success: ApiToken,
      error: editing
    }).annotateMerge(describe("Rename an API token", "Changes the label of a token of the caller.")),
    HttpApiEndpoint.delete("revokeApiToken", `${path}/:tokenId`, {
      params: token,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(
      describe("Revoke an API token", "Revokes a token of the caller permanently, with immediate effect.")
    ),
    HttpApiEndpoint.post("rotateApiToken", `${path}/:tokenId/rotate`, {
      params: token,
      payload: RotateOwnToken,
      success: ApiTokenWithSecret,
      error: editing
    })
      .annotate(ReturnsSecret, always)
      .annotate(ChangedResource, `${path}/:tokenId`)
      .annotateMerge(
        describe(
          "Rotate an API token",
          "Replaces the secret of a token. The expiry does not change, unless the token is renewable: then its lifetime starts again. The former secret ends immediately, or after some hours, so that clients can change it without failed requests."
        )
      )
  )
  .annotateMerge(describeGroup("API tokens", "The caller's credentials for programs."))

/** The group of operations on the API tokens that open an organization. */
export const OrganizationTokensApi = HttpApiGroup.make("organizationTokens")
  .add(
    HttpApiEndpoint.get("listOrganizationTokens", "/orgs/:organizationId/tokens", {
      params: organization,
      query: { ...page, user: ListOrganizationTokens.fields.user },
      success: pageOf(OrganizationToken),
      error: reading
    }).annotateMerge(
      describe(
        "List the API tokens of an organization",
        "Returns the tokens of members and of logins that open the organization, newest first."
      )
    ),
    HttpApiEndpoint.delete("revokeOrganizationToken", "/orgs/:organizationId/tokens/:tokenId", {
      params: { ...organization, ...token },
      success: HttpApiSchema.Empty(204),
      error: changing
    }).annotateMerge(
      describe(
        "Revoke an API token of an organization",
        "Ends the access of a token to the organization, with immediate effect. A token that opens other organizations as well continues to open these."
      )
    )
  )
  .annotateMerge(
    describeGroup(
      "Organization API tokens",
      "The API tokens that open an organization, for its administrators."
    )
  )
