import { ReviewsApi } from "@lectern/client"
import { Reviews } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const reviews = Effect.map(Reviews, (reviews) =>
  implement(ReviewsApi, {
    getReviewsByChangeRequestId: reviews.list,
    getChangeRequestReviewById: reviews.get,
    submitChangeRequestReview: reviews.submit,
    getRequestedReviewersByChangeRequestId: reviews.listRequested,
    requestReviewersForChangeRequest: reviews.request,
    removeRequestedReviewerFromChangeRequest: reviews.removeRequested,
    getContributorsByChangeRequestId: reviews.listContributors
  })
)
