/** The endpoints of API tokens. */
import { OrganizationTokensApi, TokensApi } from "./TokensApi.ts"

/** The groups of endpoints of API tokens, in the order of the OpenAPI document. */
export const groups: readonly [typeof TokensApi, typeof OrganizationTokensApi] = [
  TokensApi,
  OrganizationTokensApi
]
