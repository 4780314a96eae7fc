/** The operations on the audit log. */
import type { AuditApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const audit = {
  listAuditRecords: { serves: "AuditLog.list", rule: "organization.administrate" },
  listOrganizationAuditEventActions: {
    serves: "AuditLog.listEventActions",
    rule: "organization.administrate"
  },
  listOrganizationAuditEvents: { serves: "AuditLog.listEvents", rule: "organization.administrate" },
  getOrganizationAuditEvent: { serves: "AuditLog.getEvent", rule: "organization.administrate" }
} satisfies RowsOf<typeof AuditApi>
