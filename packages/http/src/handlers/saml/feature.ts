import { saml } from "./saml.ts"

export const samlHandlers = { saml }
