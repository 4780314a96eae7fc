import { AuditApi } from "./AuditApi.ts"

export const groups: readonly [typeof AuditApi] = [AuditApi]
