/** Handlers of the endpoints for change requests. */
import { ChangeRequestsApi } from "@lectern/client"
import { ChangeRequests, Content } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for change requests. */
export const changeRequests = Effect.map(
  Effect.all({ changeRequests: ChangeRequests, content: Content }),
  ({ changeRequests, content }) =>
    implement(ChangeRequestsApi, {
      listChangeRequestsForSpace: serve(changeRequests.list, ({ params, query }) => ({
        space: params.spaceId,
        input: query
      })),
      listChangeRequestsForOrganization: serve(changeRequests.listInOrganization, ({ params, query }) => ({
        organization: params.organizationId,
        input: query
      })),
      createChangeRequest: serve(changeRequests.create, ({ params, payload }) => ({
        space: params.spaceId,
        input: payload
      })),
      getChangeRequestById: serve(changeRequests.get, ({ params }) => ({
        space: params.spaceId,
        changeRequest: params.changeRequestId
      })),
      updateChangeRequestById: serve(changeRequests.update, ({ params, payload }) => ({
        space: params.spaceId,
        changeRequest: params.changeRequestId,
        input: payload
      })),
      mergeChangeRequest: serve(changeRequests.merge, ({ params }) => ({
        space: params.spaceId,
        changeRequest: params.changeRequestId
      })),
      updateChangeRequest: serve(changeRequests.updateFromSpace, ({ params }) => ({
        space: params.spaceId,
        changeRequest: params.changeRequestId
      })),
      getChangeRequestChanges: serve(content.listChanges, ({ params, query }) => ({
        content: { space: params.spaceId, changeRequest: params.changeRequestId },
        input: query
      }))
    })
)
