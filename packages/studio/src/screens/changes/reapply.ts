/** Proposes the changes of an undone merge again, as a new change request. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { runChange } from "../../data/change.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { translate } from "../../strings/strings.ts"
import { keysOfRequest } from "./requestChanges.ts"
import { reviewStrings } from "./reviewStrings.ts"

const create = async ({ space, id }: ChangeRequest): Promise<ChangeRequest> => {
  const params = { spaceId: space }
  const created = await client.changeRequests.createChangeRequest({ params, payload: { reapplies: id } })
  // Conflicts with the changes of the space since prevent the update: the review lists them.
  await client.changeRequests.updateChangeRequest({ params: { ...params, changeRequestId: created.id } })
  return created
}

/** Creates a change request with the changes of a merged one, and opens its review. */
export const reapply = async (request: ChangeRequest): Promise<void> => {
  const created = await runChange({
    send: () => create(request),
    message: ({ number }) => translate(reviewStrings, "reapplied", { number: String(number) }),
    failure: translate(reviewStrings, "notReapplied"),
    undo: ({ id }) =>
      client.changeRequests.updateChangeRequestById({
        params: { spaceId: request.space, changeRequestId: id },
        payload: { status: "archived" }
      }),
    invalidates: keysOfRequest(request)
  })
  if (created !== undefined) navigate(`/spaces/${created.space}/changes/${created.number}/review`)
}
