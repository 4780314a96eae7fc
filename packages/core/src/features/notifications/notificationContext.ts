/** Loads the rows that the rules of notifications need, for a batch of events. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  type CommentReplyRow,
  type CommentRow,
  changeRequests,
  commentReplies,
  comments,
  type NotificationContext,
  type NotifiedComment,
  type NotifiedEvent,
  type RequestedReviewerRow,
  type ReviewRow,
  requestedReviewers,
  reviews,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { CommentId } from "@lectern/model/comments"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { findConflicting } from "../change-requests/conflictingChangeRequests.ts"
import type { ContentStore } from "../content/ContentStore.ts"

/** The maximum number of authors of replies to a comment who are notified. */
const maximumAuthors = 100

const subjectsOf = (events: ReadonlyArray<NotifiedEvent>) => {
  const named = {
    comments: new Set<CommentId>(),
    repliedTo: new Set<CommentId>(),
    changeRequests: new Set<ChangeRequestId>(),
    spaces: new Set<SpaceId>()
  }
  for (const { subject } of events) {
    if (subject.resource === "comment") named.comments.add(subject.id)
    else if (subject.resource === "commentReply") {
      named.comments.add(subject.comment)
      named.repliedTo.add(subject.comment)
    } else if (subject.resource === "changeRequest") named.changeRequests.add(subject.id)
    else if (subject.resource === "review" || subject.resource === "requestedReviewer")
      named.changeRequests.add(subject.changeRequest)
    else if (subject.resource === "importRun" || subject.resource === "gitSync")
      named.spaces.add(subject.space)
  }
  return named
}

const loadComments = Effect.fnUntraced(function* (
  records: GrantedReader,
  ids: ReadonlySet<CommentId>,
  repliedTo: ReadonlySet<CommentId>
): Effect.fn.Return<ReadonlyMap<CommentId, NotifiedComment>, StorageUnavailable> {
  if (ids.size === 0) return new Map()
  const rows = yield* records.find(comments, {
    select: ["id", "space", "changeRequest", "postedBy"],
    where: Where.isIn<CommentRow, "id">("id", [...ids])
  })
  const found = new Map<CommentId, NotifiedComment>()
  for (const { id, space, changeRequest, postedBy } of rows) {
    // Only a reply notifies the authors of other replies.
    const replies = repliedTo.has(id)
      ? yield* records.find(commentReplies, {
          select: ["postedBy"],
          where: Where.eq<CommentReplyRow, "comment">("comment", id),
          orderBy: ["id"],
          direction: "desc",
          limit: maximumAuthors
        })
      : []
    found.set(id, { space, changeRequest, authors: [postedBy, ...replies.map((reply) => reply.postedBy)] })
  }
  return found
})

/** Loads the users who have reviewed change requests, or are requested to. */
const loadReviewers = Effect.fnUntraced(function* (
  records: GrantedReader,
  ids: ReadonlySet<ChangeRequestId>
): Effect.fn.Return<ReadonlyMap<ChangeRequestId, ReadonlyArray<UserId>>, StorageUnavailable> {
  if (ids.size === 0) return new Map()
  const reviewed = yield* records.find(reviews, {
    select: ["changeRequest", "reviewer"],
    where: Where.isIn<ReviewRow, "changeRequest">("changeRequest", [...ids])
  })
  const requested = yield* records.find(requestedReviewers, {
    select: ["changeRequest", "user"],
    where: Where.isIn<RequestedReviewerRow, "changeRequest">("changeRequest", [...ids])
  })
  const all = [
    ...reviewed.map(({ changeRequest, reviewer }) => ({ changeRequest, user: reviewer })),
    ...requested
  ]
  const grouped = Map.groupBy(all, ({ changeRequest }) => changeRequest)
  return new Map([...grouped].map(([id, rows]) => [id, rows.map(({ user }) => user)]))
})

/** Loads the rows that the events refer to. */
export const loadNotificationContext = Effect.fnUntraced(function* (
  records: GrantedReader,
  content: ContentStore["Service"],
  events: ReadonlyArray<NotifiedEvent>
): Effect.fn.Return<NotificationContext, StorageUnavailable> {
  const named = subjectsOf(events)
  const loaded = yield* loadComments(records, named.comments, named.repliedTo)
  const ids = [
    ...new Set([...named.changeRequests, ...[...loaded.values()].flatMap((one) => one.changeRequest ?? [])])
  ]
  const rows =
    ids.length === 0
      ? []
      : yield* records.find(changeRequests, {
          select: ["id", "space", "createdBy"],
          where: Where.isIn<ChangeRequestRow, "id">("id", ids)
        })
  const merged = new Set(
    events.flatMap(({ subject }) => (subject.resource === "changeRequest" ? [subject.id] : []))
  )
  const mergedInto = rows.flatMap(({ id, space }) => (merged.has(id) ? [space] : []))
  const conflicting = mergedInto.length === 0 ? [] : yield* findConflicting(records, content, mergedInto)
  const reviewed = new Set([...named.changeRequests, ...conflicting.map(({ id }) => id)])
  const reviewers = yield* loadReviewers(records, reviewed)
  const existing =
    named.spaces.size === 0
      ? []
      : yield* records.find(spaces, {
          select: ["id"],
          where: Where.isIn<SpaceRow, "id">("id", [...named.spaces])
        })
  return {
    comments: loaded,
    changeRequests: new Map(
      rows.map(({ id, space, createdBy }) => [id, { space, createdBy, reviewers: reviewers.get(id) ?? [] }])
    ),
    spaces: new Set(existing.map(({ id }) => id)),
    conflicts: new Map(
      conflicting.map(({ id, space, createdBy, revision }) => [
        id,
        { space, createdBy, revision, reviewers: reviewers.get(id) ?? [] }
      ])
    )
  }
})
