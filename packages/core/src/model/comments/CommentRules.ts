/** The rules of comments: conditions, permissions, page states and mentions, as pure functions. */

import { Conflict, Forbidden } from "../../kernel/errors.ts"
import { sha256Hex } from "../../kernel/sha256.ts"
import { Where } from "../../kernel/storage/index.ts"
import type { ChangeRequestRow } from "../change-requests/ChangeRequest.ts"
import type { PageRecord } from "../content/ContentRecord.ts"
import { type CommentAction, commentActions } from "../roles/Policy.ts"
import { isAtLeast, type RoleOrGuest } from "../roles/Role.ts"
import type { Comment, CommentId, CommentRow } from "./Comment.ts"

/** The row of a comment. */
export const whereComment = (id: CommentId): Where.Where<CommentRow> => Where.eq("id", id)

/** Whether new comments are rejected because the change request is merged. */
export const isClosed = (changeRequest: Pick<ChangeRequestRow, "status"> | undefined): boolean =>
  changeRequest?.status === "merged"

/** The error of posting a comment or a reply on a merged change request. */
export const mergedConflict = new Conflict({
  reason: "ChangeRequestMerged",
  message: "The change request is merged and accepts no new comments. Comment on the space instead."
})

/** Whether a role permits an action on a comment or a reply, the caller's own or another user's. */
const isPermitted = (action: CommentAction, role: RoleOrGuest, isOwn: boolean): boolean => {
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

/** The permissions of the caller on a comment or a reply. */
export const permissionsOf = (
  role: RoleOrGuest,
  isOwn: boolean,
  isClosed: boolean
): Comment["permissions"] => ({
  view: isPermitted("view", role, isOwn),
  edit: isPermitted("edit", role, isOwn),
  reply: !isClosed && isPermitted("reply", role, isOwn),
  delete: isPermitted("delete", role, isOwn)
})

/** Computes a digest of the visible fields of a page, which changes with the page. */
export const stateOf = ({ title, description, emoji, icon, body }: PageRecord): string =>
  sha256Hex(JSON.stringify([title, description, emoji, icon, body])).slice(0, 32)

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
