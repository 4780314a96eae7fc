/** All names of `audit`. */
export * from "./AuditRecord.ts"
