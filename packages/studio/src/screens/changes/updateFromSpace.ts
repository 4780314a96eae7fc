/** Merges the current content of the space into a change request. */
import type { ChangeRequest, Conflict } from "@lectern/client/fetch"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { keysOfRequest } from "./requestChanges.ts"
import { changesStrings } from "./strings.ts"

/** Updates a change request from the space. `onConflicts` receives the conflicts that prevent it. */
export const updateFromSpace = async (
  request: ChangeRequest,
  onConflicts: (conflicts: ReadonlyArray<Conflict>) => void
): Promise<void> => {
  try {
    const result = await client.changeRequests.updateChangeRequest({
      params: { spaceId: request.space, changeRequestId: request.id }
    })
    if (result.result === "conflicts") onConflicts(result.conflicts)
    else showToast({ kind: "done", message: translate(changesStrings, "updatedMessage") })
    for (const key of keysOfRequest(request)) invalidate(key)
  } catch (error) {
    showFailure(translate(changesStrings, "updateFailed"), error)
  }
}
