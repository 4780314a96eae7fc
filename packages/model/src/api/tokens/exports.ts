export { OrganizationTokensApi, TokensApi } from "./TokensApi.ts"
