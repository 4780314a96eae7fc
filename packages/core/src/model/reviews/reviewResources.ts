/** The events of reviews. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { UserId } from "../users/User.ts"
import { ReviewId, ReviewStatus, requestedReviewers, reviews } from "./Review.ts"

/** The data of the events of a review. */
export class ReviewEventData extends resource<ReviewEventData>()(
  Schema.Struct({
    id: ReviewId,
    changeRequest: ChangeRequestId,
    revision: RevisionId,
    reviewer: UserId,
    requestedBy: Schema.NullOr(UserId),
    status: ReviewStatus,
    outdated: Schema.Boolean,
    createdAt: Timestamp
  })
) {}

/** The events of reviews. */
export const reviewEvents = resourceEvents("review", "A review of a change request.", reviews, {
  data: ReviewEventData
})

/** The data of the events of a requested reviewer. */
export class RequestedReviewerEventData extends resource<RequestedReviewerEventData>()(
  Schema.Struct({
    changeRequest: ChangeRequestId,
    user: UserId,
    revision: RevisionId,
    requestedBy: UserId,
    createdAt: Timestamp
  })
) {}

/** The events of requested reviewers. */
export const requestedReviewerEvents = resourceEvents(
  "requestedReviewer",
  "A user who is requested to review a change request, until they have.",
  requestedReviewers,
  { data: RequestedReviewerEventData }
)
