/** All names of `audit`. */
export * from "./AuditEvent.ts"
export * from "./AuditRecord.ts"
