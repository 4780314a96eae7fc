/** The operations on the audit log. */
import type { AuditApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const audit = {
  listAuditRecords: { serves: "AuditLog.list", rule: "organization.administrate" }
} satisfies RowsOf<typeof AuditApi>
