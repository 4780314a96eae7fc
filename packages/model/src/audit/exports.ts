/** The public names of the audit log in `@lectern/model`. */
export { AuditOutcome, AuditRecord, AuditRecordId, ListAuditRecords } from "./AuditRecord.ts"
