/** The metadata of the authorization server (RFC 8414) and of its resources (RFC 9728). */
import { tokenPermissions } from "@lectern/core"
import { type ApiResponse, jsonResponse } from "../server/messages/Message.ts"
import { grantTypes } from "./clientMetadata.ts"
import { oauthPaths } from "./paths.ts"
import type { ProgramResource } from "./resources.ts"

/** Programs in browsers read the metadata from pages of other origins. */
const documentHeaders = (): Record<string, string> => ({
  "access-control-allow-origin": "*",
  "cache-control": "public, max-age=300"
})

/** Returns the metadata of the authorization server. */
export const serverMetadata = (issuer: string): ApiResponse =>
  jsonResponse(
    200,
    JSON.stringify({
      issuer,
      authorization_endpoint: `${issuer}${oauthPaths.authorize}`,
      token_endpoint: `${issuer}${oauthPaths.token}`,
      registration_endpoint: `${issuer}${oauthPaths.register}`,
      revocation_endpoint: `${issuer}${oauthPaths.revoke}`,
      device_authorization_endpoint: `${issuer}${oauthPaths.deviceAuthorization}`,
      scopes_supported: tokenPermissions,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: grantTypes,
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true
    }),
    documentHeaders()
  )

/** Returns the metadata of a resource. */
export const resourceMetadata = (issuer: string, { url, permissions }: ProgramResource): ApiResponse =>
  jsonResponse(
    200,
    JSON.stringify({
      resource: url,
      authorization_servers: [issuer],
      scopes_supported: permissions,
      bearer_methods_supported: ["header"]
    }),
    documentHeaders()
  )
