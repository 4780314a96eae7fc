/** The public tables and rows, for adapters and tools of operators. */
export { type AuditRecordRow, auditRecords, tokenAddresses } from "./audit/auditRecordTables.ts"
export { type IdempotencyKeyRow, idempotencyKeys } from "./idempotency/IdempotencyKey.ts"
export { lockedByOrganization, lockedBySpace } from "./locks/tableLocks.ts"
