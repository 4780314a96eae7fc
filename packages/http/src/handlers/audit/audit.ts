import { AuditApi } from "@lectern/client"
import { AuditLog } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const audit = Effect.map(AuditLog, (auditLog) =>
  implement(AuditApi, {
    listAuditRecords: auditLog.list,
    listOrganizationAuditEventActions: auditLog.listEventActions,
    listOrganizationAuditEvents: auditLog.listEvents,
    getOrganizationAuditEvent: auditLog.getEvent
  })
)
