/** The public names of tokens in `@lectern/client`. */
export { OrganizationTokensApi, TokensApi } from "./TokensApi.ts"
