/** The handlers of the endpoints of API tokens. */
import { organizationTokens, tokens } from "./tokens.ts"

/** The handlers of each group of endpoints of API tokens, by the name of the group. */
export const tokensHandlers = { tokens, organizationTokens }
