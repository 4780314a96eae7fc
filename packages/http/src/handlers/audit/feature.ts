import { audit } from "./audit.ts"

export const auditHandlers = { audit }
