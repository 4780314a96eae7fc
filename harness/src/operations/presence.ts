/** The operations on presence. */
import type { PresenceApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const presence = {
  announcePresence: {
    serves: "Presence.announce",
    rule: "space.read",
    statements: 10,
    reads: true,
    body: ({ ids }) => ({ page: ids.pageId, client: "window", state: "viewing" })
  }
} satisfies RowsOf<typeof PresenceApi>
