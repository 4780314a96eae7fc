export { ApiTokens } from "./ApiTokens.ts"
export { TokenLifetimes, type TokenLifetimesSettings } from "./TokenLifetimes.ts"
export { Tokens } from "./Tokens.ts"
