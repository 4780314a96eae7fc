/** Events of organizations. Other features handle them in the same transaction. */

import type { OrganizationId } from "@lectern/model/organizations"
import { transactionEvent } from "../../events/TransactionEvents.ts"

/** Published when an organization moves to the trash. Handlers store the rows that they suspend in `suspensions`. */
export const OrganizationTrashed = transactionEvent<{ readonly organization: OrganizationId }>(
  "OrganizationTrashed"
)

/** Published when an organization is restored from the trash, while `suspensions` has its rows. */
export const OrganizationRestored = transactionEvent<{ readonly organization: OrganizationId }>(
  "OrganizationRestored"
)
