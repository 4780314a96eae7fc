import { oidc } from "./oidc.ts"

export const oidcHandlers = { oidc }
