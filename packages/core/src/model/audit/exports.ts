/** The public names of the audit log in `@lectern/core/model`. */
export {
  AuditOutcome,
  AuditRecord,
  AuditRecordId,
  type AuditRecordRow,
  auditRecords,
  ListAuditRecords,
  tokenAddresses
} from "./AuditRecord.ts"
