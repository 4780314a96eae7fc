export { AuditApi } from "./AuditApi.ts"
