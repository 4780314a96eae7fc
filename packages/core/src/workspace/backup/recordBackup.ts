/** Records backups in the audit log. */

import { AuditRecordId } from "@lectern/model/audit"
import type { OrganizationId } from "@lectern/model/organizations"
import { Clock, Effect } from "effect"
import { Ids } from "../../kernel/ids/Ids.ts"
import type { RecordsAdapter, WriteError } from "../../kernel/storage/index.ts"
import { encodeSet } from "../../kernel/storage/textSet.ts"
import { toTimestamp } from "../../kernel/time.ts"
import { auditRecords } from "../../tables/audit/auditRecordTables.ts"

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
