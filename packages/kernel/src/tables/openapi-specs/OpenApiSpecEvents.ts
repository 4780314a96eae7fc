/** Events of OpenAPI specs. Other features handle them in the same transaction. */

import type { OrganizationId } from "@lectern/model/organizations"
import { transactionEvent } from "../../events/TransactionEvents.ts"

/** Published when the latest version of a spec changes, and when a spec with a version is removed. */
export const OpenApiSpecChanged = transactionEvent<{ readonly organization: OrganizationId }>(
  "OpenApiSpecChanged"
)
