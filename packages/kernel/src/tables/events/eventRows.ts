/** Rules on rows: see `Event` of `@lectern/model`. */

import type { Event } from "@lectern/model/events"
import { OrganizationId } from "@lectern/model/organizations"
import type { EventRow } from "../../storage/eventTables.ts"

/** Converts a row to the resource. */
export const presentEvent = (row: EventRow): Event => ({
  object: "event",
  id: row.id,
  cursor: String(row.sequence),
  type: row.type,
  version: row.version,
  ...(row.organization === null ? {} : { organization: OrganizationId.make(row.organization) }),
  ...(row.operation === null ? {} : { operation: row.operation }),
  ...(row.actor === null ? {} : { actor: row.actor }),
  createdAt: row.createdAt,
  data: row.data
})
