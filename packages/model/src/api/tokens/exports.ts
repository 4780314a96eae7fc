/** The public names of tokens in `@lectern/model/api`. */
export { OrganizationTokensApi, TokensApi } from "./TokensApi.ts"
