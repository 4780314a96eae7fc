import { AuditRetention, SystemGrant } from "@lectern/access"
import { defineFeature, firstIdAt, housekeepingJob, Records, toTimestamp, Where } from "@lectern/kernel"
import {
  type AuditRecordRow,
  auditRecords,
  type TokenAddressRow,
  tokenAddresses
} from "@lectern/kernel/tables"
import { AuditRecordId } from "@lectern/model/audit"
import { Clock, Effect, Layer } from "effect"
import { AuditLog, WorkspaceAuditLog } from "./AuditLog.ts"
import { TokenAddresses } from "./TokenAddresses.ts"

/** Removes the records whose retention has expired. Without retention, it removes nothing: the log may be turned on again. */
const purge = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Removes audit records whose retention has expired.")
  const retentionMs = yield* AuditRetention
  return housekeepingJob(
    "purgeAuditRecords",
    "1 hour",
    Effect.gen(function* () {
      if (retentionMs === 0) return
      const before = (yield* Clock.currentTimeMillis) - retentionMs
      yield* lockedTransaction(
        [],
        Effect.andThen(
          records.remove(
            auditRecords,
            Where.lt<AuditRecordRow, "id">("id", AuditRecordId.make(firstIdAt(before)))
          ),
          records.remove(
            tokenAddresses,
            Where.lt<TokenAddressRow, "firstUsedAt">("firstUsedAt", toTimestamp(before))
          )
        )
      )
    })
  )
})

/** The audit log, and the housekeeping job that removes records when their retention expires. */
export const auditFeature = defineFeature("audit", {
  tables: [auditRecords, tokenAddresses],
  userServices: { auditLog: AuditLog },
  layer: Layer.mergeAll(AuditLog.layer, WorkspaceAuditLog.layer, TokenAddresses.layer),
  jobs: Effect.map(purge, (job) => [job])
})
