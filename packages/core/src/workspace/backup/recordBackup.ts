/** Records backups in the audit log. */

import { encodeSet, Ids, type RecordsAdapter, toTimestamp, type WriteError } from "@lectern/kernel"
import { auditRecords } from "@lectern/kernel/tables"
import { AuditRecordId } from "@lectern/model/audit"
import type { OrganizationId } from "@lectern/model/organizations"
import { Clock, Effect } from "effect"

/** The operation in the audit record of a backup. */
export type BackupOperation = "Backups.create" | "Backups.export" | "Backups.copy"

/**
 * Inserts the audit record of a backup that the operator has taken: of the workspace, or of one organization. The store must
 * have the latest schema.
 */
export const recordBackup = (
  adapter: RecordsAdapter["Service"],
  operation: BackupOperation,
  organization: OrganizationId | undefined
): Effect.Effect<void, WriteError> =>
  Effect.gen(function* () {
    const ids = yield* Ids
    yield* adapter.insert(auditRecords, [
      {
        id: AuditRecordId.make(yield* ids.next),
        organization: organization ?? null,
        createdAt: toTimestamp(yield* Clock.currentTimeMillis),
        operation,
        outcome: "success",
        actor: null,
        token: null,
        address: null,
        resources: encodeSet([]),
        details: { actorType: "operator" }
      }
    ])
  }).pipe(Effect.provide(Ids.layer))
