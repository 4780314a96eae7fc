/** Handlers of the operations on change requests. */

import { ChangeRequestsApi } from "@lectern/client"
import { ChangeRequests, Content } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on change requests, implemented. */
export const changeRequests = Effect.map(
  Effect.all({ changeRequests: ChangeRequests, content: Content }),
  ({ changeRequests, content }) =>
    implement(ChangeRequestsApi, {
      listChangeRequestsForSpace: ({ params, query }) => changeRequests.list(params.spaceId, query),
      createChangeRequest: ({ params, payload }) => changeRequests.create(params.spaceId, payload),
      getChangeRequestById: ({ params }) => changeRequests.get(params.spaceId, params.changeRequestId),
      updateChangeRequestById: ({ params, payload }) =>
        changeRequests.update(params.spaceId, params.changeRequestId, payload),
      mergeChangeRequest: ({ params }) => changeRequests.merge(params.spaceId, params.changeRequestId),
      updateChangeRequest: ({ params }) => changeRequests.pull(params.spaceId, params.changeRequestId),
      getChangeRequestChanges: ({ params, query }) =>
        content.changes({ space: params.spaceId, changeRequest: params.changeRequestId }, query)
    })
)
