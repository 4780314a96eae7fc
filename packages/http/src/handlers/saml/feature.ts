/** The handlers of the endpoints of single sign-on. */
import { saml } from "./saml.ts"

/** The handlers of each group of endpoints of single sign-on, by the name of the group. */
export const samlHandlers = { saml }
