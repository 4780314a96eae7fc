/** The endpoints of the audit log. */
import { AuditApi } from "./AuditApi.ts"

/** The groups of endpoints of the audit log, in the order of the OpenAPI document. */
export const groups: readonly [typeof AuditApi] = [AuditApi]
