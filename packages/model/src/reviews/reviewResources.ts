/** The events of reviews. */
import * as Schema from "effect/Schema"
import { ChangeRequestId } from "../change-requests/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { UserId } from "../users/User.ts"
import { ReviewId, ReviewStatus } from "./Review.ts"

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
