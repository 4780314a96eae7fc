/** Handlers of the endpoints for the audit log. */
import { AuditApi } from "@lectern/client"
import { AuditLog } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for the audit log. */
export const audit = Effect.map(AuditLog, (auditLog) =>
  implement(AuditApi, {
    listAuditRecords: serve(auditLog.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    }))
  })
)
