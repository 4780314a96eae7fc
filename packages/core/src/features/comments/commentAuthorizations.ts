/** Authorization of operations on comments, by the actions of `commentActions`. */

import {
  type Authorization,
  type LockList,
  Locks,
  noteCheck,
  type Rule,
  type TargetError
} from "@lectern/access"
import { Where } from "@lectern/kernel"
import { type CommentReplyRow, type CommentRow, commentReplies, comments } from "@lectern/kernel/tables"
import type { CommentId, CommentReplyId } from "@lectern/model/comments"
import { forbiddenAction } from "@lectern/model/comments"
import { type Forbidden, NotFound } from "@lectern/model/errors"
import { type CommentAction, commentActions, type SpaceAction, spaceActions } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import type { CommentTarget, CommentTargetRef, CommentTargets } from "./CommentTargets.ts"

/** Fails with `Forbidden` if the caller cannot perform the action on a comment or reply by this author. */
export const requireCommentAction = (
  action: CommentAction,
  target: CommentTarget,
  postedBy: UserId
): Effect.Effect<void, Forbidden> => {
  const isOwn = postedBy === target.caller.user
  const forbidden = forbiddenAction(action, target.role, isOwn)
  if (forbidden !== undefined) return Effect.fail(forbidden)
  // The action on the space that requires the same role represents it, also after the comment is deleted.
  const needed = commentActions[action][isOwn ? "own" : "other"]
  const onSpace = (Object.keys(spaceActions) as Array<SpaceAction>).find(
    (one) => spaceActions[one] === needed
  )
  return onSpace === undefined ? Effect.void : noteCheck(["space", target.space.id, onSpace], Effect.void)
}

/** The rule of an operation, as the policy files list it. */
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
 * Authorizes operations on a target of comments, on a comment, and on a reply. The grant has the rows that the check
 * loads. `byInput` lists further actions that only some inputs require; the body of the operation checks those.
 */
export const commentAuthorizations = (targets: CommentTargets["Service"]) => {
  const findComment = Effect.fnUntraced(function* (ref: CommentTargetRef, id: CommentId) {
    const target = yield* targets.open(ref)
    const { grant } = target
    const comment = yield* grant.records.first(comments, {
      where: Where.and<CommentRow>(Where.eq("id", id), Where.eq("subject", target.id))
    })
    if (comment === undefined) return yield* NotFound.of("comment")
    return { grant, target, comment }
  })

  const findReply = Effect.fnUntraced(function* (
    ref: CommentTargetRef,
    comment: CommentId,
    id: CommentReplyId
  ) {
    const found = yield* findComment(ref, comment)
    const reply = yield* found.grant.records.first(commentReplies, {
      where: Where.and<CommentReplyRow>(Where.eq("id", id), Where.eq("comment", found.comment.id))
    })
    if (reply === undefined) return yield* NotFound.of("reply")
    return { ...found, reply }
  })

  return {
    target: (
      action: "view" | "reply"
    ): Authorization<
      { readonly target: CommentTargetRef },
      { readonly target: CommentTarget },
      TargetError
    > => ({
      rule: ruleOf(action, []),
      check: Effect.fnUntraced(function* ({ target: ref }) {
        const target = yield* targets.open(ref)
        yield* requireCommentAction(action, target, target.caller.user)
        return { grant: target.grant, target }
      })
    }),

    comment: (
      action: CommentAction,
      ...byInput: ReadonlyArray<CommentAction>
    ): Authorization<
      { readonly target: CommentTargetRef; readonly comment: CommentId },
      { readonly target: CommentTarget; readonly comment: CommentRow },
      TargetError
    > => ({
      rule: ruleOf(action, byInput),
      check: Effect.fnUntraced(function* ({ target, comment }) {
        const found = yield* findComment(target, comment)
        yield* requireCommentAction(action, found.target, found.comment.postedBy)
        return found
      })
    }),

    reply: (
      action: CommentAction,
      ...byInput: ReadonlyArray<CommentAction>
    ): Authorization<
      { readonly target: CommentTargetRef; readonly comment: CommentId; readonly reply: CommentReplyId },
      { readonly target: CommentTarget; readonly comment: CommentRow; readonly reply: CommentReplyRow },
      TargetError
    > => ({
      rule: ruleOf(action, byInput),
      check: Effect.fnUntraced(function* ({ target, comment, reply }) {
        const found = yield* findReply(target, comment, reply)
        yield* requireCommentAction(action, found.target, found.reply.postedBy)
        return found
      })
    })
  }
}

/** The locks of commands on comments. The lock on a space covers the comments on its change requests. */
export const locksOfTarget = ({ target }: { readonly target: CommentTargetRef }): LockList =>
  Locks.space(target)
