/** The operations on reviews. */
import type { ReviewsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

/** Requests the review of the reviewer of the scene. */
const requestReview: NonNullable<RowsOf<typeof ReviewsApi>[keyof RowsOf<typeof ReviewsApi>]["prepare"]> = (
  { ids, reviewer },
  call
) =>
  call("POST", `/v1/spaces/${ids.spaceId}/change-requests/${ids.changeRequestId}/requested-reviewers`, {
    users: [reviewer]
  })

export const reviews = {
  getReviewsByChangeRequestId: { serves: "Reviews.list", rule: "changeRequest.view.other" },
  getChangeRequestReviewById: { serves: "Reviews.get", rule: "changeRequest.view.other" },
  submitChangeRequestReview: {
    serves: "Reviews.submit",
    rule: "changeRequest.review.other",
    repeated: "another",
    body: () => ({ status: "approved" }),
    full: () => ({ body: { status: "changes-requested", comment: { markdown: "Words." } } })
  },
  getRequestedReviewersByChangeRequestId: {
    serves: "Reviews.listRequested",
    rule: "changeRequest.view.other"
  },
  requestReviewersForChangeRequest: {
    serves: "Reviews.request",
    rule: "changeRequest.edit.other",
    body: ({ reviewer }) => ({ users: [reviewer] })
  },
  removeRequestedReviewerFromChangeRequest: {
    serves: "Reviews.removeRequested",
    rule: "changeRequest.edit.other",
    repeated: "404",
    params: ({ reviewer }) => ({ userId: reviewer }),
    prepare: requestReview
  },
  getContributorsByChangeRequestId: {
    serves: "Reviews.listContributors",
    rule: "changeRequest.view.other"
  }
} satisfies RowsOf<typeof ReviewsApi>
