/** Merges the current content of the space into a change request. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { invalidate } from "../../data/cache.ts"
import { showFailure } from "../../data/change.ts"
import { showToast } from "../../data/toasts.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { keysOfRequest } from "./requestChanges.ts"
import { changesStrings } from "./strings.ts"

/** Updates a change request from the space. Conflicts that prevent it are in the preview of the merge, which is loaded again. */
export const updateFromSpace = async (request: ChangeRequest): Promise<void> => {
  try {
    const result = await client.changeRequests.updateChangeRequest({
      params: { spaceId: request.space, changeRequestId: request.id }
    })
    const hasConflicts = result.result === "conflicts"
    showToast({
      kind: hasConflicts ? "failed" : "done",
      message: translate(changesStrings, hasConflicts ? "updateConflicts" : "updatedMessage")
    })
    for (const key of keysOfRequest(request)) invalidate(key)
  } catch (error) {
    showFailure(translate(changesStrings, "updateFailed"), error)
  }
}
