/** Operations on reviews of change requests, and on requests for them. */

import {
  Access,
  type Command,
  type GrantedReader,
  Locks,
  Operations,
  type Query,
  roleOn,
  type TargetError
} from "@lectern/access"
import { Ids, makeLinkBase, now, readPage, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  type CommentRow,
  changeRequests,
  comments,
  decodeDescription,
  type RequestedReviewerRow,
  type ReviewRow,
  requestedReviewers,
  reviews,
  type SpaceRow,
  whyClosed
} from "@lectern/kernel/tables"
import { ChangeRequestRef } from "@lectern/model/change-requests"
import { type Comment, CommentId } from "@lectern/model/comments"
import { type InvalidField, InvalidInput, NotFound } from "@lectern/model/errors"
import {
  type ChangeRequestReview,
  ListReviews,
  type RequestedReviewer,
  type RequestedReviewers,
  RequestReviewers,
  ReviewId,
  ReviewOptions,
  SubmitReview,
  type UserContributor
} from "@lectern/model/reviews"
import { isAtLeast } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import { SpaceId } from "@lectern/model/spaces"
import { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { presentRequestedReviewers, presentReviews } from "../../views/reviews/ReviewView.ts"
import { type CommentTarget, CommentTargets, commentTargetOf } from "../comments/CommentTargets.ts"
import { presentComments } from "../comments/CommentView.ts"
import { decodeBody } from "../comments/commentBody.ts"
import { findContributors } from "./contributions.ts"

/** A change request of a space. */
type OfChangeRequest = { space: SpaceId; changeRequest: typeof ChangeRequestRef.Type }

/**
 * Operations on reviews, on behalf of the `CurrentUser`. `changeRequest` is an id, or a number in the space. Every
 * operation fails with `NotFound` if the caller cannot read the change request.
 */
export interface ReviewsOperations {
  /** Lists the reviews of a change request, newest first. Requires the role `read` on the space. */
  readonly list: Query<OfChangeRequest & { input?: ListReviews }, Page<ChangeRequestReview>, TargetError>
  /** Returns a review of a change request. Requires the role `read` on the space. */
  readonly get: Query<
    OfChangeRequest & { review: ReviewId; input?: ReviewOptions },
    ChangeRequestReview,
    TargetError
  >
  /**
   * Submits a review of the current revision of a change request, and returns it. Earlier reviews of the caller become
   * outdated, and a request for the caller's review is fulfilled. Requires the role `review` on the space. Merge rules
   * ignore reviews of the user who created the change request. Fails with `Conflict` if it is merged or archived.
   */
  readonly submit: Command<OfChangeRequest & { input: SubmitReview }, ChangeRequestReview, TargetError>
  /** Lists the users who are requested to review a change request and have not yet, latest request first. */
  readonly listRequested: Query<OfChangeRequest & { input?: PageQuery }, Page<RequestedReviewer>, TargetError>
  /**
   * Requests users to review a change request, and can update its subject and its description. Earlier reviews of these
   * users become outdated. Requires the role `edit` on the space for the caller's own change requests, `review` for
   * others. Fails with `InvalidInput` for a user who created the change request or cannot review it, and with `Conflict`
   * if it is merged or archived.
   */
  readonly request: Command<OfChangeRequest & { input: RequestReviewers }, RequestedReviewers, TargetError>
  /**
   * Withdraws the request for the review of a user. Requires the role `edit` on the space for the caller's own change
   * requests, `review` for others. Fails with `NotFound` if there is no request.
   */
  readonly removeRequested: Command<OfChangeRequest & { user: UserId }, void, TargetError>
  /**
   * Lists the users who have edited a change request or commented on it, with their number of contributions among the
   * newest 10,000, by their latest contribution.
   */
  readonly listContributors: Query<OfChangeRequest, Page<UserContributor>, TargetError>
}

const whereReviewers = (changeRequest: ChangeRequestRow, users: ReadonlyArray<UserId>) => ({
  current: Where.and<ReviewRow>(
    Where.eq("changeRequest", changeRequest.id),
    Where.isIn("reviewer", users),
    Where.eq("outdated", false)
  ),
  requested: Where.and<RequestedReviewerRow>(
    Where.eq("changeRequest", changeRequest.id),
    Where.isIn("user", users)
  )
})

const parameters = { space: SpaceId, changeRequest: ChangeRequestRef }

const makePresenter = Effect.gen(function* () {
  const targets = yield* CommentTargets

  /** Converts reviews to resources, with their comments. */
  const present = Effect.fnUntraced(function* (
    records: GrantedReader,
    target: CommentTarget,
    rows: ReadonlyArray<ReviewRow>,
    options: ListReviews
  ) {
    if (rows.length === 0) return []
    const posted = yield* records.find(comments, {
      where: Where.isIn<CommentRow, "review">(
        "review",
        rows.map(({ id }) => id)
      )
    })
    const presented = yield* presentComments(
      records,
      target.base,
      target,
      targets.treeOf(target),
      posted,
      options
    )
    const byReview = new Map<ReviewId, Comment>(
      posted.map(({ review }, index) => [review!, presented[index]!])
    )
    return yield* presentReviews(records, target.base, target.space.id, rows, byReview)
  })

  return { present }
})

const makeReviewerCheck = Effect.gen(function* () {
  const access = yield* Access

  /** Finds out why users cannot be requested to review, as invalid fields. */
  const whyNotReviewers = Effect.fnUntraced(function* (
    space: SpaceRow,
    changeRequest: ChangeRequestRow,
    users: ReadonlyArray<UserId>
  ) {
    const problems: Array<InvalidField> = []
    for (const [index, user] of users.entries()) {
      const path = `users.${index}`
      if (user === changeRequest.createdBy) {
        problems.push({ path, message: "must not be the user who created the change request" })
        continue
      }
      const caller = yield* access.loadCaller(user, space.organization)
      if (caller === undefined || !isAtLeast(roleOn(caller, space), "review"))
        problems.push({ path, message: "must be a user with the role `review` on the space" })
    }
    return problems
  })

  return { whyNotReviewers }
})

const makeReads = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { present } = yield* makePresenter

  return {
    list: query(
      "Reviews.list",
      { parameters: { ...parameters, input: ListReviews }, authorize: allow.changeRequest("view") },
      function* ({ input }, granted) {
        const { changeRequest, records } = granted
        const target = commentTargetOf(yield* linkBase, granted)
        return yield* readPage(records, input, {
          table: reviews,
          list: ["reviews", changeRequest.id, input.outdated],
          where: Where.and<ReviewRow>(
            Where.eq("changeRequest", changeRequest.id),
            input.outdated === undefined ? Where.all : Where.eq("outdated", input.outdated)
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => present(records, target, rows, input)
        })
      }
    ),

    get: query(
      "Reviews.get",
      {
        parameters: { ...parameters, review: ReviewId, input: ReviewOptions },
        authorize: allow.changeRequest("view")
      },
      function* ({ review: id, input }, granted) {
        const { changeRequest, records } = granted
        const row = yield* records.get(reviews, { id })
        if (row?.changeRequest !== changeRequest.id) return yield* NotFound.of("review")
        const target = commentTargetOf(yield* linkBase, granted)
        const [presented] = yield* present(records, target, [row], input)
        return presented!
      }
    ),

    listContributors: query(
      "Reviews.listContributors",
      { parameters, authorize: allow.changeRequest("view") },
      function* (_, { changeRequest, records }) {
        const items = yield* findContributors(records, yield* linkBase, changeRequest.id)
        return { items, count: items.length }
      }
    )
  }
})

const makeSubmission = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const targets = yield* CommentTargets
  const ids = yield* Ids
  const linkBase = yield* makeLinkBase
  const { present } = yield* makePresenter

  return {
    submit: command(
      "Reviews.submit",
      {
        parameters: { ...parameters, input: SubmitReview },
        authorize: allow.changeRequest("review"),
        locks: Locks.space
      },
      function* ({ input }, granted) {
        const { space, changeRequest, caller, records } = granted
        const body =
          input.comment === undefined
            ? undefined
            : yield* decodeBody(records, space.organization, input.comment, "", "comment")
        const closed = whyClosed(changeRequest)
        if (closed !== undefined) return yield* closed
        const target = commentTargetOf(yield* linkBase, granted)
        const where = whereReviewers(changeRequest, [caller.user])
        const requested = yield* records.first(requestedReviewers, { where: where.requested })
        const time = yield* now
        yield* records.updateUncounted(reviews, where.current, { outdated: true, updatedAt: time })
        if (requested !== undefined) yield* records.remove(requestedReviewers, where.requested)
        const row: ReviewRow = {
          id: ReviewId.make(yield* ids.next),
          organization: space.organization,
          changeRequest: changeRequest.id,
          revision: changeRequest.revision,
          reviewer: caller.user,
          requestedBy: requested?.requestedBy ?? null,
          status: input.status,
          outdated: false,
          createdAt: time,
          updatedAt: time
        }
        yield* records.insert(reviews, row)
        if (body !== undefined) {
          yield* records.insert(comments, {
            id: CommentId.make(yield* ids.next),
            organization: space.organization,
            space: space.id,
            changeRequest: changeRequest.id,
            review: row.id,
            subject: target.id,
            revision: changeRequest.revision,
            page: null,
            target: null,
            ...body,
            postedBy: caller.user,
            postedAt: time,
            editedAt: null,
            status: "open",
            resolvedBy: null,
            resolvedAt: null,
            replies: 0
          })
          yield* targets.updateCount(records, target, 1)
        }
        const [presented] = yield* present(records, target, [row], {})
        return presented!
      }
    )
  }
})

const makeRequests = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { whyNotReviewers } = yield* makeReviewerCheck

  return {
    listRequested: query(
      "Reviews.listRequested",
      { parameters: { ...parameters, input: PageQuery }, authorize: allow.changeRequest("view") },
      function* ({ input }, { changeRequest, records }) {
        const base = yield* linkBase
        return yield* readPage(records, input, {
          table: requestedReviewers,
          list: ["requestedReviewers", changeRequest.id],
          where: Where.eq<RequestedReviewerRow, "changeRequest">("changeRequest", changeRequest.id),
          orderBy: ["createdAt", "user"],
          direction: "desc",
          present: (rows) => presentRequestedReviewers(records, base, rows)
        })
      }
    ),

    request: command(
      "Reviews.request",
      {
        parameters: { ...parameters, input: RequestReviewers },
        authorize: allow.changeRequest("edit"),
        locks: Locks.space
      },
      function* ({ input }, { space, changeRequest, caller, records }) {
        const users = [...new Set(input.users)]
        const problems = yield* whyNotReviewers(space, changeRequest, users)
        if (problems.length > 0) return yield* InvalidInput.of(problems)
        const description =
          input.description === undefined
            ? changeRequest.description
            : yield* decodeDescription(input.description)
        const closed = whyClosed(changeRequest)
        if (closed !== undefined) return yield* closed
        const time = yield* now
        if (input.subject !== undefined || input.description !== undefined) {
          yield* records.updateUncounted(
            changeRequests,
            Where.eq<ChangeRequestRow, "id">("id", changeRequest.id),
            {
              subject: input.subject ?? changeRequest.subject,
              description,
              updatedAt: time
            }
          )
        }
        const rows = users.map(
          (user): RequestedReviewerRow => ({
            organization: changeRequest.organization,
            changeRequest: changeRequest.id,
            user,
            revision: changeRequest.revision,
            requestedBy: caller.user,
            createdAt: time
          })
        )
        const where = whereReviewers(changeRequest, users)
        yield* records.updateUncounted(reviews, where.current, { outdated: true, updatedAt: time })
        // Removing and inserting a row in one transaction is one event, with the last state.
        yield* records.removeUncounted(requestedReviewers, where.requested)
        yield* records.insertMany(requestedReviewers, rows)
        return { users: yield* presentRequestedReviewers(records, yield* linkBase, rows) }
      }
    ),

    removeRequested: command(
      "Reviews.removeRequested",
      {
        parameters: { ...parameters, user: UserId },
        authorize: allow.changeRequest("edit"),
        locks: Locks.space
      },
      function* ({ user }, { changeRequest, records }) {
        const removed = yield* records.remove(
          requestedReviewers,
          whereReviewers(changeRequest, [user]).requested
        )
        if (removed === 0) return yield* NotFound.of("requested reviewer")
      }
    )
  }
})

const makeReviews = Effect.gen(function* () {
  return { ...(yield* makeReads), ...(yield* makeSubmission), ...(yield* makeRequests) }
})

/** Operations on reviews: see {@link ReviewsOperations}. */
export class Reviews extends Context.Service<Reviews, ReviewsOperations>()("@lectern/core/Reviews") {
  static readonly layer: Layer.Layer<Reviews, never, Operations | Access | CommentTargets | Ids> =
    Layer.effect(Reviews, makeReviews)
}
