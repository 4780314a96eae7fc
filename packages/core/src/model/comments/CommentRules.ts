/** What may be done with a comment, and what it says (decisions D5 and D9), as pure functions. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Conflict, Forbidden } from "../../kernel/errors.ts"
import type { ChangeRequestRow } from "../change-requests/ChangeRequest.ts"
import type { PageRecord } from "../content/ContentRecord.ts"
import { type CommentAction, commentActions } from "../roles/Policy.ts"
import { isAtLeast, type RoleOrGuest } from "../roles/Role.ts"
import type { Comment } from "./Comment.ts"

/** Whether what is commented takes no new comments any more: a change request that is merged. */
export const isClosed = (changeRequest: Pick<ChangeRequestRow, "status"> | undefined): boolean =>
  changeRequest?.status === "merged"

/** What a new comment on what is closed is answered with. */
export const closed = new Conflict({ message: "The change request is merged: it takes no new comments." })

/** Whether a caller may do something with a comment or a reply, their own or another's. */
const may = (action: CommentAction, role: RoleOrGuest, isOwn: boolean): boolean => {
  const needed = commentActions[action][isOwn ? "own" : "other"]
  return needed !== null && isAtLeast(role, needed)
}

/** Why a caller may not do something with a comment; `undefined` where they may. */
export const whyNot = (action: CommentAction, role: RoleOrGuest, isOwn: boolean): Forbidden | undefined => {
  if (may(action, role, isOwn)) return undefined
  const needed = commentActions[action][isOwn ? "own" : "other"]
  return new Forbidden({
    message:
      needed === null
        ? "Only who posted it can change what it says."
        : `This needs the role "${needed}" on the space; yours is "${role}".`
  })
}

/** What a caller may do with a comment or a reply. */
export const permissionsOf = (
  role: RoleOrGuest,
  isOwn: boolean,
  isClosed: boolean
): Comment["permissions"] => ({
  view: may("view", role, isOwn),
  edit: may("edit", role, isOwn),
  reply: !isClosed && may("reply", role, isOwn),
  delete: may("delete", role, isOwn)
})

/** Tells what a reader sees of a page from what they saw of it before. */
export const stateOf = ({ title, description, emoji, icon, body }: PageRecord): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify([title, description, emoji, icon, body])))).slice(0, 32)

const mention = /(?<![^\s([{*_>])@([^\s@"'<>(),:;\\[\]{}*`]+@[\p{L}\p{N}.-]*[\p{L}\p{N}])/gu

/** How many members one comment can mention. */
const maximumMentions = 50

/** The e-mail addresses that a text mentions, as in `@ada@example.com`, in lower case. */
export const mentionedIn = (markdown: string): ReadonlyArray<string> => [
  ...new Set(
    Array.from(markdown.matchAll(mention), ([, email]) => email!.toLowerCase()).slice(0, maximumMentions)
  )
]
