/** Operations on comments and the replies to them, on spaces and on change requests. */

import { type GrantedReader, Operations } from "@lectern/access"
import { Ids, now, readPage, Where } from "@lectern/kernel"
import {
  type CommentReplyRow,
  type CommentRow,
  commentReplies,
  comments,
  type MemberRow,
  members,
  whereComment
} from "@lectern/kernel/tables"
import {
  CommentId,
  CommentOptions,
  CommentReplyId,
  CreateReply,
  ListComments,
  ListReplies,
  mergedConflict,
  PostComment,
  UpdateComment,
  UpdateReply
} from "@lectern/model/comments"
import { PageQuery } from "@lectern/model/schema"
import { Context, Effect, Layer } from "effect"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { ContentStore } from "../content/ContentStore.ts"
import type { CommentsOperations } from "./CommentsOperations.ts"
import { type CommentTarget, CommentTargetRef, CommentTargets } from "./CommentTargets.ts"
import { presentComments, presentReplies } from "./CommentView.ts"
import { commentAuthorizations, locksOfTarget, requireCommentAction } from "./commentAuthorizations.ts"
import { decodeBody } from "./commentBody.ts"
import { findCommentedPage } from "./commentedContent.ts"
import { updateReactions } from "./reactions.ts"

const toReply = (
  records: GrantedReader,
  target: CommentTarget,
  row: CommentReplyRow,
  options: CommentOptions = {}
) => Effect.map(presentReplies(records, target.base, target, [row], options), (presented) => presented[0]!)

/** The changes of columns for a new body: none if the update has no body. Only the author can change it. */
const bodyChanges = Effect.fnUntraced(function* (
  records: GrantedReader,
  target: CommentTarget,
  row: CommentRow | CommentReplyRow,
  { body }: UpdateReply,
  time: string
) {
  if (body === undefined) return {}
  yield* requireCommentAction("edit", target, row.postedBy)
  return { ...(yield* decodeBody(records, target.space.organization, body, row.body)), editedAt: time }
})

const makePresenters = Effect.gen(function* () {
  const targets = yield* CommentTargets

  const toComments = (
    records: GrantedReader,
    target: CommentTarget,
    rows: ReadonlyArray<CommentRow>,
    options: CommentOptions
  ) => presentComments(records, target.base, target, targets.treeOf(target), rows, options)

  const toComment = (
    records: GrantedReader,
    target: CommentTarget,
    row: CommentRow,
    options: CommentOptions = {}
  ) => Effect.map(toComments(records, target, [row], options), (presented) => presented[0]!)

  return { toComments, toComment }
})

const makeReads = Effect.gen(function* () {
  const { query } = yield* Operations
  const targets = yield* CommentTargets
  const allow = commentAuthorizations(targets)
  const { toComments, toComment } = yield* makePresenters

  return {
    list: query(
      "Comments.list",
      { parameters: { target: CommentTargetRef, input: ListComments }, authorize: allow.target("view") },
      function* ({ input }, { target, records }) {
        const { order = "desc", status = "all", targetPage, authors } = input
        return yield* readPage(records, input, {
          table: comments,
          list: ["comments", target.id, status, targetPage, authors],
          where: Where.and<CommentRow>(
            Where.eq("subject", target.id),
            status === "all" ? Where.all : Where.eq("status", status),
            targetPage === undefined ? Where.all : Where.eq("page", targetPage),
            authors === undefined || authors.length === 0 ? Where.all : Where.isIn("postedBy", authors)
          ),
          orderBy: ["id"],
          direction: order,
          present: (rows) => toComments(records, target, rows, input)
        })
      }
    ),

    listCommenters: query(
      "Comments.listCommenters",
      { parameters: { target: CommentTargetRef, input: PageQuery }, authorize: allow.target("view") },
      function* ({ input }, { target, records }) {
        const { organization } = target.space
        const onTarget = Where.eq<CommentRow, "subject">("subject", target.id)
        return yield* readPage(records, input, {
          table: members,
          list: ["commenters", target.id],
          where: Where.and<MemberRow>(
            Where.eq("organization", organization),
            Where.or<MemberRow>(
              records.inSelect("user", comments, "postedBy", onTarget),
              records.inSelect(
                "user",
                commentReplies,
                "postedBy",
                records.inSelect<CommentReplyRow, "comment", typeof comments, "id">(
                  "comment",
                  comments,
                  "id",
                  onTarget
                )
              )
            )
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => presentMembers(records, target.base, organization, rows)
        })
      }
    ),

    get: query(
      "Comments.get",
      {
        parameters: { target: CommentTargetRef, comment: CommentId, input: CommentOptions },
        authorize: allow.comment("view")
      },
      function* ({ input }, { target, comment, records }) {
        return yield* toComment(records, target, comment, input)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const targets = yield* CommentTargets
  const content = yield* ContentStore
  const ids = yield* Ids
  const allow = commentAuthorizations(targets)
  const { toComment } = yield* makePresenters

  return {
    create: command(
      "Comments.create",
      {
        parameters: { target: CommentTargetRef, input: PostComment },
        authorize: allow.target("reply"),
        locks: locksOfTarget
      },
      function* ({ input }, { target, records }) {
        if (target.isClosed) return yield* mergedConflict
        const page = yield* findCommentedPage(content, yield* targets.treeOf(target), input)
        const row: CommentRow = {
          id: CommentId.make(yield* ids.next),
          organization: target.space.organization,
          space: target.space.id,
          changeRequest: target.changeRequest?.id ?? null,
          review: null,
          subject: target.id,
          revision: target.revision,
          page: page?.page ?? null,
          target: page,
          ...(yield* decodeBody(records, target.space.organization, input.body)),
          postedBy: target.caller.user,
          postedAt: yield* now,
          editedAt: null,
          status: "open",
          resolvedBy: null,
          resolvedAt: null,
          replies: 0
        }
        yield* records.insert(comments, row)
        yield* targets.updateCount(records, target, 1)
        return yield* toComment(records, target, row)
      }
    ),

    update: command(
      "Comments.update",
      {
        parameters: { target: CommentTargetRef, comment: CommentId, input: UpdateComment },
        authorize: allow.comment("reply", "edit", "resolve"),
        locks: locksOfTarget
      },
      function* ({ input }, { target, comment, records }) {
        const { user } = target.caller
        const time = yield* now
        const body = yield* bodyChanges(records, target, comment, input, time)
        if (input.resolved !== undefined) yield* requireCommentAction("resolve", target, comment.postedBy)
        const status = input.resolved === undefined ? comment.status : input.resolved ? "resolved" : "open"
        const resolution =
          status === comment.status
            ? {}
            : {
                status,
                resolvedBy: status === "resolved" ? user : null,
                resolvedAt: status === "resolved" ? time : null
              }
        const set = { ...body, ...resolution }
        if (Object.keys(set).length > 0) {
          yield* records.updateUncounted(comments, whereComment(comment.id), set)
        }
        if (status !== comment.status) yield* targets.updateCount(records, target, status === "open" ? 1 : -1)
        yield* updateReactions(records, ids, comment, user, input, time)
        return yield* toComment(records, target, { ...comment, ...set })
      }
    ),

    remove: command(
      "Comments.remove",
      {
        parameters: { target: CommentTargetRef, comment: CommentId },
        authorize: allow.comment("delete"),
        locks: locksOfTarget
      },
      function* (_, { target, comment, records }) {
        yield* records.removeUncounted(comments, whereComment(comment.id))
        if (comment.status === "open") yield* targets.updateCount(records, target, -1)
      }
    )
  }
})

const makeReplyReads = Effect.gen(function* () {
  const { query } = yield* Operations
  const targets = yield* CommentTargets
  const allow = commentAuthorizations(targets)

  return {
    listReplies: query(
      "Comments.listReplies",
      {
        parameters: { target: CommentTargetRef, comment: CommentId, input: ListReplies },
        authorize: allow.comment("view")
      },
      function* ({ input }, { target, comment, records }) {
        return yield* readPage(records, input, {
          table: commentReplies,
          list: ["replies", comment.id],
          where: Where.eq<CommentReplyRow, "comment">("comment", comment.id),
          orderBy: ["id"],
          direction: "asc",
          present: (rows) => presentReplies(records, target.base, target, rows, input)
        })
      }
    ),

    getReply: query(
      "Comments.getReply",
      {
        parameters: {
          target: CommentTargetRef,
          comment: CommentId,
          reply: CommentReplyId,
          input: CommentOptions
        },
        authorize: allow.reply("view")
      },
      function* ({ input }, { target, reply, records }) {
        return yield* toReply(records, target, reply, input)
      }
    )
  }
})

const makeReplyEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const targets = yield* CommentTargets
  const ids = yield* Ids
  const allow = commentAuthorizations(targets)

  return {
    createReply: command(
      "Comments.createReply",
      {
        parameters: { target: CommentTargetRef, comment: CommentId, input: CreateReply },
        authorize: allow.comment("reply"),
        locks: locksOfTarget
      },
      function* ({ input }, { target, comment, records }) {
        if (target.isClosed) return yield* mergedConflict
        const row: CommentReplyRow = {
          id: CommentReplyId.make(yield* ids.next),
          organization: target.space.organization,
          comment: comment.id,
          ...(yield* decodeBody(records, target.space.organization, input.body)),
          postedBy: target.caller.user,
          postedAt: yield* now,
          editedAt: null
        }
        yield* records.insert(commentReplies, row)
        yield* records.updateUncounted(comments, whereComment(comment.id), {}, { replies: 1 })
        return yield* toReply(records, target, row, input)
      }
    ),

    updateReply: command(
      "Comments.updateReply",
      {
        parameters: {
          target: CommentTargetRef,
          comment: CommentId,
          reply: CommentReplyId,
          input: UpdateReply
        },
        authorize: allow.reply("reply", "edit"),
        locks: locksOfTarget
      },
      function* ({ input }, { target, reply, records }) {
        const time = yield* now
        const set = yield* bodyChanges(records, target, reply, input, time)
        if (Object.keys(set).length > 0) {
          yield* records.updateUncounted(commentReplies, Where.eq<CommentReplyRow, "id">("id", reply.id), set)
        }
        yield* updateReactions(records, ids, reply, target.caller.user, input, time)
        return yield* toReply(records, target, { ...reply, ...set })
      }
    ),

    removeReply: command(
      "Comments.removeReply",
      {
        parameters: { target: CommentTargetRef, comment: CommentId, reply: CommentReplyId },
        authorize: allow.reply("delete"),
        locks: locksOfTarget
      },
      function* (_, { comment, reply, records }) {
        yield* records.removeUncounted(commentReplies, Where.eq<CommentReplyRow, "id">("id", reply.id))
        yield* records.updateUncounted(comments, whereComment(comment.id), {}, { replies: -1 })
      }
    )
  }
})

const makeComments = Effect.gen(function* () {
  return {
    ...(yield* makeReads),
    ...(yield* makeEdits),
    ...(yield* makeReplyReads),
    ...(yield* makeReplyEdits)
  }
})

/** Operations on comments: see {@link CommentsOperations}. */
export class Comments extends Context.Service<Comments, CommentsOperations>()("@lectern/core/Comments") {
  static readonly layer: Layer.Layer<Comments, never, Operations | CommentTargets | ContentStore | Ids> =
    Layer.effect(Comments, makeComments)
}
