export {
  AuditEvent,
  AuditEventAction,
  AuditEventActions,
  AuditEventDetails,
  AuditEventId,
  ListAuditEvents
} from "./AuditEvent.ts"
export { AuditOutcome, AuditRecord, AuditRecordId, ListAuditRecords } from "./AuditRecord.ts"
