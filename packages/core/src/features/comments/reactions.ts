/** Reactions: a set of users per emoji. Each is a row, so that concurrent updates do not overwrite each other. */

import type { GrantedRecords } from "@lectern/access"
import { type Ids, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type CommentReactionRow,
  type CommentReplyRow,
  type CommentRow,
  commentReactions
} from "@lectern/kernel/tables"
import type { UpdateReply } from "@lectern/model/comments"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"

/** Removes and adds reactions of a user. An emoji in both lists is added. */
export const updateReactions = Effect.fnUntraced(function* (
  records: GrantedRecords,
  ids: Ids["Service"],
  reacted: CommentRow | CommentReplyRow,
  user: UserId,
  { addedReactions = [], removedReactions = [] }: Pick<UpdateReply, "addedReactions" | "removedReactions">,
  time: string
): Effect.fn.Return<void, StorageUnavailable> {
  const { id: target, organization } = reacted
  const [comment, reply] = "comment" in reacted ? [reacted.comment, reacted.id] : [reacted.id, null]
  const removed = removedReactions.filter((emoji) => !addedReactions.includes(emoji))
  if (removed.length > 0) {
    yield* records.removeUncounted(
      commentReactions,
      Where.and<CommentReactionRow>(
        Where.eq("target", target),
        Where.eq("user", user),
        Where.isIn("emoji", removed)
      )
    )
  }
  const rows: Array<CommentReactionRow> = []
  for (const emoji of new Set(addedReactions)) {
    rows.push({ organization, target, emoji, user, id: yield* ids.next, reactedAt: time, comment, reply })
  }
  yield* records.insertMissingUncounted(commentReactions, rows)
})
