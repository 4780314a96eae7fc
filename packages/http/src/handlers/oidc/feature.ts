/** The handlers of the endpoints of OpenID Connect. */
import { oidc } from "./oidc.ts"

/** The handlers of each group of endpoints of OpenID Connect, by the name of the group. */
export const oidcHandlers = { oidc }
