/** Operations on comments and the replies to them, on spaces and on change requests. */
import { Context, Effect, Layer } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import type { TargetError } from "../../access/operations/Authorization.ts"
import type { Command, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { type Page, PageQuery } from "../../kernel/schema/Pagination.ts"
import { Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  type Comment,
  CommentId,
  CommentOptions,
  type CommentReply,
  CommentReplyId,
  type CommentReplyRow,
  type CommentRow,
  CreateReply,
  commentReplies,
  comments,
  ListComments,
  ListReplies,
  PostComment,
  UpdateComment,
  UpdateReply
} from "../../model/comments/Comment.ts"
import { mergedConflict } from "../../model/comments/CommentRules.ts"
import { type Member, type MemberRow, members } from "../../model/organizations/Member.ts"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { type Subject, SubjectRef, Subjects } from "./CommentTarget.ts"
import { presentComments, presentReplies } from "./CommentView.ts"
import { commentAuthorizations, requireCommentAction } from "./commentAuthorizations.ts"
import { toStoredBody } from "./commentBody.ts"
import { findTarget } from "./commentedContent.ts"
import { updateReactions } from "./reactions.ts"

/**
 * Operations on comments, on behalf of the `CurrentUser`. `target` is what is commented: a space, or with
 * `changeRequest` (an id, or a number in the space) a change request of it. The target must be readable: otherwise
 * every operation fails with `NotFound`.
 */
export interface CommentsOperations {
  /** Lists the comments on the target that match every given filter, by time of posting, newest first by default. */
  readonly list: Query<{ target: SubjectRef; input?: ListComments }, Page<Comment>, TargetError>
  /** Lists the members of the organization who posted a comment or a reply on the target, newest members first. */
  readonly listCommenters: Query<{ target: SubjectRef; input?: PageQuery }, Page<Member>, TargetError>
  /** Returns the comment. */
  readonly get: Query<
    { target: SubjectRef; comment: CommentId; input?: CommentOptions },
    Comment,
    TargetError
  >
  /**
   * Posts a comment on the target, on a page of its content, or on a node of that page's document. Requires the role
   * `comment` on the space. Fails with `InvalidInput` if the page or the node does not exist, and with `Conflict` if
   * the change request is merged.
   */
  readonly create: Command<{ target: SubjectRef; input: PostComment }, Comment, TargetError>
  /**
   * Updates the body of a comment, the caller's reactions to it, and whether it is resolved. Requires the role
   * `comment` on the space; only the author can change the body, and `resolved` requires the role `edit`.
   */
  readonly update: Command<
    { target: SubjectRef; comment: CommentId; input?: UpdateComment },
    Comment,
    TargetError
  >
  /** Permanently removes a comment with its replies. Requires the role `admin` on the space if it is not the caller's. */
  readonly remove: Command<{ target: SubjectRef; comment: CommentId }, void, TargetError>
  /** Lists the replies to a comment, oldest first. */
  readonly listReplies: Query<
    { target: SubjectRef; comment: CommentId; input?: ListReplies },
    Page<CommentReply>,
    TargetError
  >
  /** Returns the reply. */
  readonly getReply: Query<
    { target: SubjectRef; comment: CommentId; reply: CommentReplyId; input?: CommentOptions },
    CommentReply,
    TargetError
  >
  /**
   * Posts a reply to a comment. Requires the role `comment` on the space. Fails with `Conflict` if the change request
   * is merged.
   */
  readonly createReply: Command<
    { target: SubjectRef; comment: CommentId; input: CreateReply },
    CommentReply,
    TargetError
  >
  /**
   * Updates the body of a reply, and the caller's reactions to it. Requires the role `comment` on the space; only the
   * author can change the body.
   */
  readonly updateReply: Command<
    { target: SubjectRef; comment: CommentId; reply: CommentReplyId; input?: UpdateReply },
    CommentReply,
    TargetError
  >
  /** Permanently removes a reply. Requires the role `admin` on the space if it is not the caller's. */
  readonly removeReply: Command<
    { target: SubjectRef; comment: CommentId; reply: CommentReplyId },
    void,
    TargetError
  >
}

const makeComments = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const subjects = yield* Subjects
  const content = yield* ContentStore
  const ids = yield* Ids
  const base = yield* PublicUrl

  const allow = commentAuthorizations(subjects)

  const toComments = (
    records: GrantedReader,
    subject: Subject,
    rows: ReadonlyArray<CommentRow>,
    options: CommentOptions
  ) => presentComments(records, base, subject, subjects.treeOf(subject), rows, options)

  const toComment = (
    records: GrantedReader,
    subject: Subject,
    row: CommentRow,
    options: CommentOptions = {}
  ) => Effect.map(toComments(records, subject, [row], options), (presented) => presented[0]!)

  const toReply = (
    records: GrantedReader,
    subject: Subject,
    row: CommentReplyRow,
    options: CommentOptions = {}
  ) => Effect.map(presentReplies(records, base, subject, [row], options), (presented) => presented[0]!)

  /** The changes of columns for a new body: none if the update has no body. Only the author can change it. */
  const bodyChanges = Effect.fnUntraced(function* (
    records: GrantedReader,
    subject: Subject,
    row: CommentRow | CommentReplyRow,
    { body }: UpdateReply,
    time: string
  ) {
    if (body === undefined) return {}
    yield* requireCommentAction("edit", subject, row.postedBy)
    return { ...(yield* toStoredBody(records, subject.space.organization, body)), editedAt: time }
  })

  return {
    list: query(
      "Comments.list",
      { parameters: { target: SubjectRef, input: ListComments }, authorize: allow.target("view") },
      function* ({ input }, { subject, records }) {
        const { order = "desc", status = "all", targetPage, authors } = input
        return yield* readPage(records, input, {
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
          present: (rows) => toComments(records, subject, rows, input)
        })
      }
    ),

    listCommenters: query(
      "Comments.listCommenters",
      { parameters: { target: SubjectRef, input: PageQuery }, authorize: allow.target("view") },
      function* ({ input }, { subject, records }) {
        const { organization } = subject.space
        const ofSubject = Where.eq<CommentRow, "subject">("subject", subject.id)
        return yield* readPage(records, input, {
          table: members,
          list: ["commenters", subject.id],
          where: Where.and<MemberRow>(
            Where.eq("organization", organization),
            Where.or<MemberRow>(
              records.inSelect("user", comments, "postedBy", ofSubject),
              records.inSelect(
                "user",
                commentReplies,
                "postedBy",
                records.inSelect<CommentReplyRow, "comment", typeof comments, "id">(
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
      }
    ),

    get: query(
      "Comments.get",
      {
        parameters: { target: SubjectRef, comment: CommentId, input: CommentOptions },
        authorize: allow.comment("view")
      },
      function* ({ input }, { subject, comment, records }) {
        return yield* toComment(records, subject, comment, input)
      }
    ),

    create: command(
      "Comments.create",
      { parameters: { target: SubjectRef, input: PostComment }, authorize: allow.target("reply") },
      function* ({ input }, { subject, records }) {
        if (subject.isClosed) return yield* mergedConflict
        const target = yield* findTarget(content, yield* subjects.treeOf(subject), input)
        const row: CommentRow = {
          id: CommentId.make(yield* ids.next),
          space: subject.space.id,
          changeRequest: subject.changeRequest?.id ?? null,
          subject: subject.id,
          revision: subject.revision,
          page: target?.page ?? null,
          target,
          ...(yield* toStoredBody(records, subject.space.organization, input.body)),
          postedBy: subject.caller.user,
          postedAt: yield* now,
          editedAt: null,
          status: "open",
          resolvedBy: null,
          resolvedAt: null,
          replies: 0
        }
        yield* records.insert(comments, row)
        yield* subjects.updateCount(records, subject, 1)
        return yield* toComment(records, subject, row)
      }
    ),

    update: command(
      "Comments.update",
      {
        parameters: { target: SubjectRef, comment: CommentId, input: UpdateComment },
        authorize: allow.comment("reply", "edit", "resolve")
      },
      function* ({ input }, { subject, comment, records }) {
        const { user } = subject.caller
        const time = yield* now
        const body = yield* bodyChanges(records, subject, comment, input, time)
        if (input.resolved !== undefined) yield* requireCommentAction("resolve", subject, comment.postedBy)
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
          yield* records.update(comments, Where.eq<CommentRow, "id">("id", comment.id), set)
        }
        if (status !== comment.status)
          yield* subjects.updateCount(records, subject, status === "open" ? 1 : -1)
        yield* updateReactions(records, ids, { comment: comment.id, reply: null }, user, input, time)
        return yield* toComment(records, subject, { ...comment, ...set })
      }
    ),

    remove: command(
      "Comments.remove",
      { parameters: { target: SubjectRef, comment: CommentId }, authorize: allow.comment("delete") },
      function* (_, { subject, comment, records }) {
        yield* records.remove(comments, Where.eq<CommentRow, "id">("id", comment.id))
        if (comment.status === "open") yield* subjects.updateCount(records, subject, -1)
      }
    ),

    listReplies: query(
      "Comments.listReplies",
      {
        parameters: { target: SubjectRef, comment: CommentId, input: ListReplies },
        authorize: allow.comment("view")
      },
      function* ({ input }, { subject, comment, records }) {
        return yield* readPage(records, input, {
          table: commentReplies,
          list: ["replies", comment.id],
          where: Where.eq<CommentReplyRow, "comment">("comment", comment.id),
          orderBy: ["id"],
          direction: "asc",
          present: (rows) => presentReplies(records, base, subject, rows, input)
        })
      }
    ),

    getReply: query(
      "Comments.getReply",
      {
        parameters: { target: SubjectRef, comment: CommentId, reply: CommentReplyId, input: CommentOptions },
        authorize: allow.reply("view")
      },
      function* ({ input }, { subject, reply, records }) {
        return yield* toReply(records, subject, reply, input)
      }
    ),

    createReply: command(
      "Comments.createReply",
      {
        parameters: { target: SubjectRef, comment: CommentId, input: CreateReply },
        authorize: allow.comment("reply")
      },
      function* ({ input }, { subject, comment, records }) {
        if (subject.isClosed) return yield* mergedConflict
        const row: CommentReplyRow = {
          id: CommentReplyId.make(yield* ids.next),
          comment: comment.id,
          ...(yield* toStoredBody(records, subject.space.organization, input.body)),
          postedBy: subject.caller.user,
          postedAt: yield* now,
          editedAt: null
        }
        yield* records.insert(commentReplies, row)
        yield* records.update(comments, Where.eq<CommentRow, "id">("id", comment.id), {}, { replies: 1 })
        return yield* toReply(records, subject, row, input)
      }
    ),

    updateReply: command(
      "Comments.updateReply",
      {
        parameters: { target: SubjectRef, comment: CommentId, reply: CommentReplyId, input: UpdateReply },
        authorize: allow.reply("reply", "edit")
      },
      function* ({ input }, { subject, comment, reply, records }) {
        const time = yield* now
        const set = yield* bodyChanges(records, subject, reply, input, time)
        if (Object.keys(set).length > 0) {
          yield* records.update(commentReplies, Where.eq<CommentReplyRow, "id">("id", reply.id), set)
        }
        const reacted = { comment: comment.id, reply: reply.id }
        yield* updateReactions(records, ids, reacted, subject.caller.user, input, time)
        return yield* toReply(records, subject, { ...reply, ...set })
      }
    ),

    removeReply: command(
      "Comments.removeReply",
      {
        parameters: { target: SubjectRef, comment: CommentId, reply: CommentReplyId },
        authorize: allow.reply("delete")
      },
      function* (_, { comment, reply, records }) {
        yield* records.remove(commentReplies, Where.eq<CommentReplyRow, "id">("id", reply.id))
        yield* records.update(comments, Where.eq<CommentRow, "id">("id", comment.id), {}, { replies: -1 })
      }
    )
  }
})

/** Operations on comments: see {@link CommentsOperations}. */
export class Comments extends Context.Service<Comments, CommentsOperations>()("@lectern/core/Comments") {
  static readonly layer: Layer.Layer<Comments, never, Operations | Subjects | ContentStore | Ids> =
    Layer.effect(Comments, makeComments)
}
