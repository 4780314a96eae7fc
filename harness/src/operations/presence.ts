/** The operations on presence. */
import type { PresenceApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"
import type { Scene } from "./scene.ts"

const body = ({ ids }: Scene) => ({ page: ids.pageId, client: "window", state: "viewing" })

export const presence = {
  announcePresenceInSpace: {
    serves: "Presence.announce",
    rule: "space.read",
    reads: true,
    body
  },
  announcePresenceInChangeRequest: {
    serves: "Presence.announce",
    rule: "changeRequest.view.other",
    reads: true,
    body
  }
} satisfies RowsOf<typeof PresenceApi>
