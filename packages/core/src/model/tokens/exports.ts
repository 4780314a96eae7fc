/** What `@lectern/core/model` exports of tokens. */
export { type ApiToken, ApiTokenId, CreateApiToken, type CreatedApiToken } from "./ApiToken.ts"
