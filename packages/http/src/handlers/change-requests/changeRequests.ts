import { ChangeRequestsApi } from "@lectern/client"
import { ChangeRequests, Content } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

export const changeRequests = Effect.map(
  Effect.all({ changeRequests: ChangeRequests, content: Content }),
  ({ changeRequests, content }) =>
    implement(ChangeRequestsApi, {
      listChangeRequestsForSpace: changeRequests.list,
      listChangeRequestsForOrganization: changeRequests.listInOrganization,
      createChangeRequest: changeRequests.create,
      getChangeRequestById: changeRequests.get,
      updateChangeRequestById: changeRequests.update,
      mergeChangeRequest: changeRequests.merge,
      getChangeRequestMergePreview: changeRequests.previewMerge,
      updateChangeRequest: changeRequests.updateFromSpace,
      getChangeRequestChanges: serve(content.listChanges, ({ params, query }) => ({
        content: { space: params.spaceId, changeRequest: params.changeRequestId },
        input: query
      }))
    })
)
