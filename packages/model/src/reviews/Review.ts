/** Reviews of change requests, and the users who are requested to review. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { ChangeRequestDescription, Subject } from "../change-requests/ChangeRequest.ts"
import { Comment, CommentBody, CommentOptions } from "../comments/Comment.ts"
import { RevisionId } from "../content/Revision.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { User, UserId } from "../users/User.ts"

/** The id of a review. */
export const ReviewId = idSchema("The id of a review.").pipe(Schema.brand("ReviewId"))

/** The id of a review. */
export type ReviewId = string & Brand.Brand<"ReviewId">

/** The verdict of a review. */
export const ReviewStatus = Schema.Literals(["approved", "changes-requested"])

/** The verdict of a review. */
export type ReviewStatus = typeof ReviewStatus.Type

/** A review of a change request. */
export class ChangeRequestReview extends resource<ChangeRequestReview>()(
  Schema.Struct({
    /** The type of the resource: always `change-request-review`. */
    object: Schema.Literal("change-request-review"),
    /** The id of the review. */
    id: ReviewId,
    /** The revision of the change request that was reviewed. */
    revision: RevisionId,
    /** The user who reviewed. */
    reviewer: User,
    /** The user who requested the review. Absent if it was not requested. */
    requestedBy: Schema.optionalKey(User),
    /** The verdict: `approved` or `changes-requested`. */
    status: ReviewStatus,
    /** Whether a later review of the same user, or a later request for one, supersedes the review. */
    outdated: Schema.Boolean,
    /** The comment that was submitted with the review. Absent if it had no comment, or if the comment was deleted. */
    comment: Schema.optionalKey(Comment),
    /** When the review was submitted. */
    createdAt: Timestamp,
    /** When the review was submitted, or superseded. */
    updatedAt: Timestamp,
    /** URLs of the review. */
    urls: Schema.Struct({
      /** The URL of the review in the API. */
      location: Schema.String
    })
  }).annotate({ identifier: "ChangeRequestReview" })
) {}

/** How a review is returned. */
export class ReviewOptions extends resource<ReviewOptions>()(Schema.Struct({ ...CommentOptions.fields })) {}

/** A review to submit. */
export class SubmitReview extends resource<SubmitReview>()(
  Schema.Struct({
    /** The verdict: `approved` or `changes-requested`. */
    status: ReviewStatus,
    /** A comment to post on the change request with the review. */
    comment: Schema.optionalKey(CommentBody)
  }).annotate({ identifier: "SubmitReview" })
) {}

/** The filter, the format and the page of a list of reviews. */
export class ListReviews extends resource<ListReviews>()(
  Schema.Struct({
    ...PageQuery.fields,
    ...CommentOptions.fields,
    /** Lists only reviews that are outdated (`true`), or that are not (`false`). */
    outdated: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** A user who is requested to review a change request, and has not yet. */
export class RequestedReviewer extends resource<RequestedReviewer>()(
  Schema.Struct({
    /** The type of the resource: always `change-request-requested-reviewer`. */
    object: Schema.Literal("change-request-requested-reviewer"),
    /** The kind of the reviewer: always `user`. */
    kind: Schema.Literal("user"),
    /** The user who is requested to review. */
    user: User,
    /** The revision of the change request when the review was requested. */
    revision: RevisionId,
    /** The user who requested the review. */
    requestedBy: User,
    /** When the review was requested. */
    createdAt: Timestamp
  }).annotate({ identifier: "RequestedReviewer" })
) {}

/** The maximum number of users in a request for reviews. */
const maximumRequested = 20

/** A request for reviews. */
export class RequestReviewers extends resource<RequestReviewers>()(
  Schema.Struct({
    /** The ids of the users who are requested to review, at most 20. They require the role `review` on the space. */
    users: Schema.Array(UserId).check(
      Schema.isMaxLength(maximumRequested, { message: `must be at most ${maximumRequested} users` })
    ),
    /** The new subject of the change request, at most 100 characters. It does not change by default. */
    subject: Schema.optionalKey(Subject),
    /**
     * The new description of the change request, a document that converts to at most 10,000 characters of Markdown. It
     * does not change by default.
     */
    description: Schema.optionalKey(ChangeRequestDescription)
  }).annotate({ identifier: "RequestReviewers" })
) {}

/** The users whose review is requested by a request for reviews. */
export class RequestedReviewers extends resource<RequestedReviewers>()(
  Schema.Struct({
    /** The users of the request, in its order. */
    users: Schema.Array(RequestedReviewer)
  }).annotate({ identifier: "RequestedReviewers" })
) {}

/** A user who has edited a change request, or commented on it. */
export class UserContributor extends resource<UserContributor>()(
  Schema.Struct({
    /** The user. */
    user: User,
    /** The type of the contribution: `edit` of the content, or `comment`. A user who did both is listed twice. */
    actionType: Schema.Literals(["edit", "comment"]),
    /** The number of edits, or of comments and replies. */
    count: Schema.Int,
    /** When the user last contributed. */
    updatedAt: Timestamp
  }).annotate({ identifier: "UserContributor" })
) {}
