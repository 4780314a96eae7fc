/** The rules of comments: conditions, permissions, page states and mentions, as pure functions. */
import { Conflict, Forbidden } from "../errors/errors.ts"
import { type CommentAction, commentActions } from "../roles/Policy.ts"
import { isAtLeast, type RoleOrGuest } from "../roles/Role.ts"

/** The error of posting a comment or a reply on a merged change request. */
export const mergedConflict = new Conflict({
  reason: "ChangeRequestMerged",
  message: "The change request is merged and accepts no new comments. Comment on the space instead."
})

/** Whether a role permits an action on a comment or a reply, the caller's own or another user's. */
export const isPermitted = (action: CommentAction, role: RoleOrGuest, isOwn: boolean): boolean => {
  const needed = commentActions[action][isOwn ? "own" : "other"]
  return needed !== null && isAtLeast(role, needed)
}

/** Returns the error of an action on a comment or a reply that a role does not permit, or `undefined`. */
export const forbiddenAction = (
  action: CommentAction,
  role: RoleOrGuest,
  isOwn: boolean
): Forbidden | undefined => {
  if (isPermitted(action, role, isOwn)) return undefined
  const needed = commentActions[action][isOwn ? "own" : "other"]
  return new Forbidden({
    reason: needed === null ? "NotAuthor" : "RoleTooLow",
    message:
      needed === null
        ? "Only the author can change the body."
        : `Requires the role \`${needed}\` on the space; your role is \`${role}\`.`
  })
}

const mention = /(?<![^\s([{*_>])@([^\s@"'<>(),:;\\[\]{}*`]+@[\p{L}\p{N}.-]*[\p{L}\p{N}])/gu

/** The maximum number of members that one comment can mention. */
const maximumMentions = 50

/**
 * Returns the e-mail addresses that Markdown mentions, as in `@ada@example.com`, in lower case and without duplicates.
 */
export const mentionedIn = (markdown: string): ReadonlyArray<string> => [
  ...new Set(
    Array.from(markdown.matchAll(mention), ([, email]) => email!.toLowerCase()).slice(0, maximumMentions)
  )
]
