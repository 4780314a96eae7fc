/** The public names of the audit log in `@lectern/client`. */
export { AuditApi } from "./AuditApi.ts"
