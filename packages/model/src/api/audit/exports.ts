/** The public names of the audit log in `@lectern/model/api`. */
export { AuditApi } from "./AuditApi.ts"
