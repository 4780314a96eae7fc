/** Authorization of operations on comments, by the actions of `commentActions`. */
import { Effect } from "effect"
import type { Authorization, TargetError } from "../../access/operations/Authorization.ts"
import type { Rule } from "../../access/operations/OperationDefinition.ts"
import { type Forbidden, NotFound } from "../../kernel/errors.ts"
import { Where } from "../../kernel/storage/index.ts"
import {
  type CommentId,
  type CommentReplyId,
  type CommentReplyRow,
  type CommentRow,
  commentReplies,
  comments
} from "../../model/comments/Comment.ts"
import { forbiddenAction } from "../../model/comments/CommentRules.ts"
import { type CommentAction, commentActions } from "../../model/roles/Policy.ts"
import type { UserId } from "../../model/users/User.ts"
import type { Subject, SubjectRef, Subjects } from "./CommentTarget.ts"

/** Fails with `Forbidden` if the caller cannot perform the action on a comment or reply by this author. */
export const requireCommentAction = (
  action: CommentAction,
  subject: Subject,
  postedBy: UserId
): Effect.Effect<void, Forbidden> => {
  const forbidden = forbiddenAction(action, subject.role, postedBy === subject.caller.user)
  return forbidden === undefined ? Effect.void : Effect.fail(forbidden)
}

const ruleOf = (action: CommentAction, byInput: ReadonlyArray<CommentAction>): Rule => {
  const { own, other } = commentActions[action]
  return {
    kind: "policy",
    action: `comment.${action}`,
    role: own === other ? own : "by relation",
    ...(byInput.length === 0 ? {} : { byInput: byInput.map((one) => `comment.${one}`) })
  }
}

/**
 * Authorizations for what is commented, for a comment on it, and for a reply to that comment. The grant has the rows
 * that the check loads. Actions that only some inputs require are listed last; the body checks them.
 */
export const commentAuthorizations = (subjects: Subjects["Service"]) => {
  const findComment = Effect.fnUntraced(function* (target: SubjectRef, id: CommentId) {
    const subject = yield* subjects.open(target)
    const { grant } = subject
    const comment = yield* grant.records.first(comments, {
      where: Where.and<CommentRow>(Where.eq("id", id), Where.eq("subject", subject.id))
    })
    if (comment === undefined) return yield* NotFound.of("comment")
    return { grant, subject, comment }
  })

  const findReply = Effect.fnUntraced(function* (target: SubjectRef, comment: CommentId, id: CommentReplyId) {
    const found = yield* findComment(target, comment)
    const reply = yield* found.grant.records.first(commentReplies, {
      where: Where.and<CommentReplyRow>(Where.eq("id", id), Where.eq("comment", found.comment.id))
    })
    if (reply === undefined) return yield* NotFound.of("reply")
    return { ...found, reply }
  })

  return {
    target: (
      action: "view" | "reply"
    ): Authorization<{ readonly target: SubjectRef }, { readonly subject: Subject }, TargetError> => ({
      rule: ruleOf(action, []),
      check: Effect.fnUntraced(function* ({ target }) {
        const subject = yield* subjects.open(target)
        yield* requireCommentAction(action, subject, subject.caller.user)
        return { grant: subject.grant, subject }
      })
    }),

    comment: (
      action: CommentAction,
      ...byInput: ReadonlyArray<CommentAction>
    ): Authorization<
      { readonly target: SubjectRef; readonly comment: CommentId },
      { readonly subject: Subject; readonly comment: CommentRow },
      TargetError
    > => ({
      rule: ruleOf(action, byInput),
      check: Effect.fnUntraced(function* ({ target, comment }) {
        const found = yield* findComment(target, comment)
        yield* requireCommentAction(action, found.subject, found.comment.postedBy)
        return found
      })
    }),

    reply: (
      action: CommentAction,
      ...byInput: ReadonlyArray<CommentAction>
    ): Authorization<
      { readonly target: SubjectRef; readonly comment: CommentId; readonly reply: CommentReplyId },
      { readonly subject: Subject; readonly comment: CommentRow; readonly reply: CommentReplyRow },
      TargetError
    > => ({
      rule: ruleOf(action, byInput),
      check: Effect.fnUntraced(function* ({ target, comment, reply }) {
        const found = yield* findReply(target, comment, reply)
        yield* requireCommentAction(action, found.subject, found.reply.postedBy)
        return found
      })
    })
  }
}
