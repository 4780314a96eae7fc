/** What `@lectern/core` exports of tokens, beside its model. */
export { ApiTokens } from "./ApiTokens.ts"
