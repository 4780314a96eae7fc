export { AuditOutcome, AuditRecord, AuditRecordId, ListAuditRecords } from "./AuditRecord.ts"
