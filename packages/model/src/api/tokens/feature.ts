import { OrganizationTokensApi, TokensApi } from "./TokensApi.ts"

export const groups: readonly [typeof TokensApi, typeof OrganizationTokensApi] = [
  TokensApi,
  OrganizationTokensApi
]
