export {
  ApiToken,
  ApiTokenId,
  ApiTokenWithSecret,
  CreateApiToken,
  type CreatedApiToken,
  CreateOwnToken,
  ListOrganizationTokens,
  OrganizationToken,
  RotateOwnToken,
  UpdateOwnToken
} from "./ApiToken.ts"
export { TokenPermission, tokenPermissions } from "./TokenPermission.ts"
