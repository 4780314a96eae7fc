/** Rules on rows: see `CommentRules` of `@lectern/model`. */

import type { Comment, CommentId } from "@lectern/model/comments"
import { isPermitted } from "@lectern/model/comments"
import type { RoleOrGuest } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { sha256Hex } from "../../sha256.ts"
import { Where } from "../../storage/index.ts"
import type { ChangeRequestRow } from "../change-requests/changeRequestTables.ts"
import type { PageRecord } from "../content/ContentRecord.ts"
import type { CommentReplyRow, CommentRow } from "./commentTables.ts"

/** The row of a comment. */
export const whereComment = (id: CommentId): Where.Where<CommentRow> => Where.eq("id", id)

/** Whether new comments are rejected because the change request is merged. */
export const isClosed = (changeRequest: Pick<ChangeRequestRow, "status"> | undefined): boolean =>
  changeRequest?.status === "merged"

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

/** A user who has replied to a comment. */
interface Replier {
  readonly user: UserId
  readonly count: number
  readonly updatedAt: string
}

/** Returns the authors of replies to a comment, which are given newest first, by their last reply. */
export const repliersOf = (
  replies: ReadonlyArray<Pick<CommentReplyRow, "postedBy" | "postedAt">>
): ReadonlyArray<Replier> =>
  Array.from(
    Map.groupBy(replies, ({ postedBy }) => postedBy),
    ([user, own]) => ({ user, count: own.length, updatedAt: own[0]!.postedAt })
  )
