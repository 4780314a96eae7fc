/** The public names of tokens in `@lectern/core`, besides the model. */
export { ApiTokens } from "./ApiTokens.ts"
