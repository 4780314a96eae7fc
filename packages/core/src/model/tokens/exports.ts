/** The public names of tokens in `@lectern/core/model`. */
export { type ApiToken, ApiTokenId, CreateApiToken, type CreatedApiToken } from "./ApiToken.ts"
