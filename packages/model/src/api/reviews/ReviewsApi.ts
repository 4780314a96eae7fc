import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  ChangeRequestRef,
  ChangeRequestReview,
  ListReviews,
  pageOf,
  RequestedReviewer,
  RequestedReviewers,
  RequestReviewers,
  ReviewId,
  ReviewOptions,
  SpaceId,
  SubmitReview,
  UserContributor,
  UserId
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { flag, page } from "../shared/queryParameters.ts"

const path = "/spaces/:spaceId/change-requests/:changeRequestId"
const changeRequest = { spaceId: SpaceId, changeRequestId: ChangeRequestRef }

/** The group of operations on reviews of change requests. */
export const ReviewsApi = HttpApiGroup.make("reviews")
  .add(
    HttpApiEndpoint.get("getReviewsByChangeRequestId", `${path}/reviews`, {
      params: changeRequest,
      query: {
        ...page,
        format: ListReviews.fields.format,
        outdated: flag("Lists only reviews that are outdated (`true`), or that are not (`false`).")
      },
      success: pageOf(ChangeRequestReview),
      error: reading
    }).annotateMerge(describe("List reviews", "Returns the reviews of the change request, newest first.")),
    HttpApiEndpoint.get("getChangeRequestReviewById", `${path}/reviews/:reviewId`, {
      params: { ...changeRequest, reviewId: ReviewId },
      query: { format: ReviewOptions.fields.format },
      success: ChangeRequestReview,
      error: reading
    }).annotateMerge(describe("Get a review", "Returns the review, with its comment.")),
    HttpApiEndpoint.post("submitChangeRequestReview", `${path}/reviews`, {
      params: changeRequest,
      payload: SubmitReview,
      success: created(ChangeRequestReview),
      error: changing
    }).annotateMerge(
      describe(
        "Submit a review",
        "Approves the current revision of the change request, or requests changes. Earlier reviews of the caller become outdated."
      )
    ),
    HttpApiEndpoint.get("getRequestedReviewersByChangeRequestId", `${path}/requested-reviewers`, {
      params: changeRequest,
      query: page,
      success: pageOf(RequestedReviewer),
      error: reading
    }).annotateMerge(
      describe(
        "List requested reviewers",
        "Returns the users who are requested to review the change request and have not yet, latest request first."
      )
    ),
    HttpApiEndpoint.post("requestReviewersForChangeRequest", `${path}/requested-reviewers`, {
      params: changeRequest,
      payload: RequestReviewers,
      success: RequestedReviewers,
      error: changing
    }).annotateMerge(
      describe(
        "Request reviewers",
        "Requests users to review the change request. Their earlier reviews become outdated."
      )
    ),
    HttpApiEndpoint.delete(
      "removeRequestedReviewerFromChangeRequest",
      `${path}/requested-reviewers/:userId`,
      {
        params: { ...changeRequest, userId: UserId },
        success: HttpApiSchema.NoContent,
        error: changing
      }
    ).annotateMerge(
      describe("Remove a requested reviewer", "Withdraws the request for the review of the user.")
    ),
    HttpApiEndpoint.get("getContributorsByChangeRequestId", `${path}/contributors`, {
      params: changeRequest,
      success: pageOf(UserContributor),
      error: reading
    }).annotateMerge(
      describe(
        "List contributors",
        "Returns the users who have edited the change request or commented on it, by their latest contribution."
      )
    )
  )
  .annotateMerge(describeGroup("Reviews", "Reviews of change requests, and requests for them."))
