/** The handlers of the endpoints of the audit log. */
import { audit } from "./audit.ts"

/** The handlers of each group of endpoints of the audit log, by the name of the group. */
export const auditHandlers = { audit }
