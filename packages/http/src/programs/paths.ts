/** The paths of the authorization server, below the URL of the workspace, and its names. */

/** The start of the paths of the authorization server. */
export const oauthPath = "/~/oauth/"

/** The paths of the endpoints and the pages. */
export const oauthPaths = {
  authorize: `${oauthPath}authorize`,
  token: `${oauthPath}token`,
  register: `${oauthPath}register`,
  revoke: `${oauthPath}revoke`,
  deviceAuthorization: `${oauthPath}device-authorization`,
  consent: `${oauthPath}consent`,
  device: "/~/device"
} as const

/** The id of the command `lectern`, which is registered without a request. */
export const commandProgram = "lectern"

/** The path of the metadata of the authorization server (RFC 8414), which clients request at the root of the host. */
export const serverMetadataPath = "/.well-known/oauth-authorization-server"

/** The start of the paths of the metadata of resources (RFC 9728). */
export const resourceMetadataPath = "/.well-known/oauth-protected-resource"

/** Whether a path is one of the authorization server. */
export const isProgramPath = (path: string): boolean =>
  path.startsWith(oauthPath) ||
  path === oauthPaths.device ||
  path === serverMetadataPath ||
  path.startsWith(`${serverMetadataPath}/`) ||
  path === resourceMetadataPath ||
  path.startsWith(`${resourceMetadataPath}/`)
