import { organizationTokens, tokens } from "./tokens.ts"

export const tokensHandlers = { tokens, organizationTokens }
