/** What callers do with comments and the replies to them, on spaces and on change requests alike. */
import { Context, Effect, Layer } from "effect"
import { NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  CommentId,
  CommentOptions,
  CommentReplyId,
  type CommentReplyRow,
  type CommentRow,
  commentReplies,
  comments,
  ListComments,
  ListReplies,
  PostComment,
  PostReply,
  UpdateComment,
  UpdateReply
} from "../../model/comments/Comment.ts"
import { closed, whyNot } from "../../model/comments/CommentRules.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import type { CommentAction } from "../../model/roles/Policy.ts"
import type { UserId } from "../../model/users/User.ts"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { type Subject, SubjectRef, Subjects } from "./CommentTarget.ts"
import { presentComments, presentReplies } from "./CommentView.ts"
import { readSaid } from "./commentBody.ts"
import { findTarget } from "./commentedContent.ts"
import { react } from "./reactions.ts"

const makeComments = Effect.gen(function* () {
  const records = yield* Records
  const subjects = yield* Subjects
  const content = yield* ContentStore
  const ids = yield* Ids
  const base = yield* PublicUrl

  const change = command(records)

  const need = (action: CommentAction, subject: Subject, postedBy: UserId = subject.caller.user) => {
    const why = whyNot(action, subject.role, postedBy === subject.caller.user)
    return why === undefined ? Effect.void : Effect.fail(why)
  }

  /** A comment on a subject, by its id. */
  const find = Effect.fnUntraced(function* (ref: SubjectRef, id: CommentId) {
    const subject = yield* subjects.open(ref)
    const row = yield* records.first(comments, {
      where: Where.and<CommentRow>(Where.eq("id", id), Where.eq("subject", subject.id))
    })
    if (row === undefined) return yield* NotFound.of("comment")
    return { subject, row }
  })

  /** A reply to a comment on a subject, by its id. */
  const findReply = Effect.fnUntraced(function* (ref: SubjectRef, comment: CommentId, id: CommentReplyId) {
    const { subject, row } = yield* find(ref, comment)
    const reply = yield* records.first(commentReplies, {
      where: Where.and<CommentReplyRow>(Where.eq("id", id), Where.eq("comment", row.id))
    })
    if (reply === undefined) return yield* NotFound.of("reply")
    return { subject, comment: row, reply }
  })

  const show = (subject: Subject, rows: ReadonlyArray<CommentRow>, options: CommentOptions) =>
    presentComments(records, base, subject, subjects.treeOf(subject), rows, options)

  const showOne = (subject: Subject, row: CommentRow, options: CommentOptions = {}) =>
    Effect.map(show(subject, [row], options), (all) => all[0]!)

  const showReply = (subject: Subject, row: CommentReplyRow, options: CommentOptions = {}) =>
    Effect.map(presentReplies(records, base, subject, [row], options), (all) => all[0]!)

  /** The changes to a body that an update asks for: only whoever said it changes what they said. */
  const saidAnew = Effect.fnUntraced(function* (
    subject: Subject,
    row: CommentRow | CommentReplyRow,
    { body }: UpdateReply,
    time: string
  ) {
    yield* need("reply", subject)
    if (body === undefined) return {}
    yield* need("edit", subject, row.postedBy)
    return { ...(yield* readSaid(records, subject.space.organization, body)), editedAt: time }
  })

  return {
    /** The comments on a subject under a filter, by when they were posted. */
    list: query([SubjectRef, ListComments], function* (ref, options) {
      const subject = yield* subjects.open(ref)
      const { order = "desc", status = "all", targetPage, authors } = options
      return yield* readPage(records, options, {
        table: comments,
        list: ["comments", subject.id, status, targetPage, authors],
        where: Where.and<CommentRow>(
          Where.eq("subject", subject.id),
          status === "all" ? Where.all : Where.eq("status", status),
          targetPage === undefined ? Where.all : Where.eq("page", targetPage),
          authors === undefined || authors.length === 0 ? Where.all : Where.isIn("postedBy", authors)
        ),
        orderBy: ["id"],
        direction: order,
        present: (rows) => show(subject, rows, options)
      })
    }),

    /** The members of the organization who said something on a subject, those who joined last first. */
    commenters: query([SubjectRef, PageQuery], function* (ref, page) {
      const subject = yield* subjects.open(ref)
      const { organization } = subject.space
      const ofSubject = Where.eq<CommentRow, "subject">("subject", subject.id)
      return yield* readPage(records, page, {
        table: members,
        list: ["commenters", subject.id],
        where: Where.and<MemberRow>(
          Where.eq("organization", organization),
          Where.or<MemberRow>(
            Where.inSelect("user", comments, "postedBy", ofSubject),
            Where.inSelect(
              "user",
              commentReplies,
              "postedBy",
              Where.inSelect<CommentReplyRow, "comment", typeof comments, "id">(
                "comment",
                comments,
                "id",
                ofSubject
              )
            )
          )
        ),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => presentMembers(records, base, organization, rows)
      })
    }),

    /** A comment. */
    get: query([SubjectRef, CommentId, CommentOptions], function* (ref, id, options) {
      const { subject, row } = yield* find(ref, id)
      return yield* showOne(subject, row, options)
    }),

    /** Posts a comment on a subject, or on a page of its content. */
    create: change([SubjectRef, PostComment], function* (ref, input) {
      const subject = yield* subjects.open(ref)
      yield* need("reply", subject)
      if (subject.isClosed) return yield* closed
      const target = yield* findTarget(content, yield* subjects.treeOf(subject), input)
      const row: CommentRow = {
        id: CommentId.make(yield* ids.next),
        space: subject.space.id,
        changeRequest: subject.changeRequest?.id ?? null,
        subject: subject.id,
        revision: subject.revision,
        page: target?.page ?? null,
        target,
        ...(yield* readSaid(records, subject.space.organization, input.body)),
        postedBy: subject.caller.user,
        postedAt: yield* now,
        editedAt: null,
        status: "open",
        resolvedBy: null,
        resolvedAt: null,
        replies: 0
      }
      yield* records.insert(comments, row)
      yield* subjects.count(subject, 1)
      return yield* showOne(subject, row)
    }),

    /** Changes what a comment says, the caller's reactions to it, or whether it is resolved. */
    update: change([SubjectRef, CommentId, UpdateComment], function* (ref, id, input) {
      const { subject, row } = yield* find(ref, id)
      const { user } = subject.caller
      const time = yield* now
      const said = yield* saidAnew(subject, row, input, time)
      if (input.resolved !== undefined) yield* need("resolve", subject)
      const status = input.resolved === undefined ? row.status : input.resolved ? "resolved" : "open"
      const settled =
        status === row.status
          ? {}
          : {
              status,
              resolvedBy: status === "resolved" ? user : null,
              resolvedAt: status === "resolved" ? time : null
            }
      const set = { ...said, ...settled }
      if (Object.keys(set).length > 0) {
        yield* records.update(comments, Where.eq<CommentRow, "id">("id", id), set)
      }
      if (status !== row.status) yield* subjects.count(subject, status === "open" ? 1 : -1)
      yield* react(records, ids, { comment: id, reply: null }, user, input, time)
      return yield* showOne(subject, { ...row, ...set })
    }),

    /** Deletes a comment, with the replies to it. */
    remove: change([SubjectRef, CommentId], function* (ref, id) {
      const { subject, row } = yield* find(ref, id)
      yield* need("delete", subject, row.postedBy)
      yield* records.remove(comments, Where.eq<CommentRow, "id">("id", id))
      if (row.status === "open") yield* subjects.count(subject, -1)
    }),

    /** The replies to a comment, in the order in which they were posted. */
    replies: query([SubjectRef, CommentId, ListReplies], function* (ref, id, options) {
      const { subject, row } = yield* find(ref, id)
      return yield* readPage(records, options, {
        table: commentReplies,
        list: ["replies", row.id],
        where: Where.eq<CommentReplyRow, "comment">("comment", row.id),
        orderBy: ["id"],
        direction: "asc",
        present: (rows) => presentReplies(records, base, subject, rows, options)
      })
    }),

    /** A reply. */
    reply: query(
      [SubjectRef, CommentId, CommentReplyId, CommentOptions],
      function* (ref, comment, id, options) {
        const { subject, reply } = yield* findReply(ref, comment, id)
        return yield* showReply(subject, reply, options)
      }
    ),

    /** Posts a reply to a comment. */
    createReply: change(
      [SubjectRef, CommentId, PostReply, CommentOptions],
      function* (ref, id, input, options) {
        const { subject, row: comment } = yield* find(ref, id)
        yield* need("reply", subject)
        if (subject.isClosed) return yield* closed
        const row: CommentReplyRow = {
          id: CommentReplyId.make(yield* ids.next),
          comment: comment.id,
          ...(yield* readSaid(records, subject.space.organization, input.body)),
          postedBy: subject.caller.user,
          postedAt: yield* now,
          editedAt: null
        }
        yield* records.insert(commentReplies, row)
        yield* records.update(comments, Where.eq<CommentRow, "id">("id", id), {}, { replies: 1 })
        return yield* showReply(subject, row, options)
      }
    ),

    /** Changes what a reply says, or the caller's reactions to it. */
    updateReply: change(
      [SubjectRef, CommentId, CommentReplyId, UpdateReply],
      function* (ref, comment, id, input) {
        const { subject, reply } = yield* findReply(ref, comment, id)
        const time = yield* now
        const set = yield* saidAnew(subject, reply, input, time)
        if (Object.keys(set).length > 0) {
          yield* records.update(commentReplies, Where.eq<CommentReplyRow, "id">("id", id), set)
        }
        yield* react(records, ids, { comment, reply: id }, subject.caller.user, input, time)
        return yield* showReply(subject, { ...reply, ...set })
      }
    ),

    /** Deletes a reply. */
    removeReply: change([SubjectRef, CommentId, CommentReplyId], function* (ref, comment, id) {
      const { subject, reply } = yield* findReply(ref, comment, id)
      yield* need("delete", subject, reply.postedBy)
      yield* records.remove(commentReplies, Where.eq<CommentReplyRow, "id">("id", id))
      yield* records.update(comments, Where.eq<CommentRow, "id">("id", comment), {}, { replies: -1 })
    })
  }
})

/** See the module's comment. */
export class Comments extends Context.Service<Comments, Effect.Success<typeof makeComments>>()(
  "@lectern/core/Comments"
) {
  static readonly layer: Layer.Layer<Comments, never, Records | Subjects | ContentStore | Ids> = Layer.effect(
    Comments,
    makeComments
  )
}
