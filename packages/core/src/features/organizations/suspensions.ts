/** Suspends rows of an organization in the trash, and finds them again when it is restored. */

import type { GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type SuspensionRow, suspensions } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import type { Effect } from "effect"

/** Returns the condition for the rows of a kind that the deletion of an organization has suspended. */
export const suspendedOf = (
  organization: OrganizationId,
  kind: SuspensionRow["kind"]
): Where.Where<SuspensionRow> =>
  Where.and<SuspensionRow>(Where.eq("organization", organization), Where.eq("kind", kind))

/** Stores the rows that the deletion of an organization suspends. */
export const storeSuspensions = (
  records: GrantedRecords,
  organization: OrganizationId,
  kind: SuspensionRow["kind"],
  subjects: ReadonlyArray<string>
): Effect.Effect<void, StorageUnavailable> =>
  records.insertMany(
    suspensions,
    subjects.map((subject) => ({ organization, kind, subject }))
  )
