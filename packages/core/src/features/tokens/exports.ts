/** The public names of tokens in `@lectern/core`, besides the model. */
export { ApiTokens } from "./ApiTokens.ts"
export { TokenLifetimes, type TokenLifetimesSettings } from "./TokenLifetimes.ts"
export { Tokens } from "./Tokens.ts"
