/** Handlers of the endpoints for reviews of change requests. */
import { ReviewsApi } from "@lectern/client"
import { Reviews, type SpaceId } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const targetOf = (params: { readonly spaceId: SpaceId; readonly changeRequestId: string }) => ({
  space: params.spaceId,
  changeRequest: params.changeRequestId
})

/** The handlers of the endpoints for reviews of change requests. */
export const reviews = Effect.map(Reviews, (reviews) =>
  implement(ReviewsApi, {
    getReviewsByChangeRequestId: serve(reviews.list, ({ params, query }) => ({
      ...targetOf(params),
      input: query
    })),
    submitChangeRequestReview: serve(reviews.submit, ({ params, payload }) => ({
      ...targetOf(params),
      input: payload
    })),
    getRequestedReviewersByChangeRequestId: serve(reviews.listRequested, ({ params, query }) => ({
      ...targetOf(params),
      input: query
    })),
    requestReviewersForChangeRequest: serve(reviews.request, ({ params, payload }) => ({
      ...targetOf(params),
      input: payload
    })),
    removeRequestedReviewerFromChangeRequest: serve(reviews.removeRequested, ({ params }) => ({
      ...targetOf(params),
      user: params.userId
    })),
    getContributorsByChangeRequestId: serve(reviews.listContributors, ({ params }) => targetOf(params))
  })
)
