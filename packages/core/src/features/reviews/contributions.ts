/** The contributions of users to a change request: edits and comments, derived from revisions and comments. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type CommentReplyRow,
  commentReplies,
  comments,
  type RevisionRow,
  revisions
} from "@lectern/kernel/tables"
import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { UserContributor } from "@lectern/model/reviews"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { presentUsers } from "../../views/users/presentUsers.ts"

/** The maximum number of edits, comments and replies that contributors are derived from: the newest of each. */
const maximumContributions = 10_000

interface Contribution {
  readonly user: UserId
  readonly at: string
}

const newest = { orderBy: ["id"], direction: "desc", limit: maximumContributions } as const

/** Finds the contributors of a change request, by their latest contribution, newest first. */
export const findContributors = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  changeRequest: ChangeRequestId
): Effect.fn.Return<ReadonlyArray<UserContributor>, StorageUnavailable> {
  const ofChangeRequest = Where.eq<{ readonly changeRequest: ChangeRequestId | null }, "changeRequest">(
    "changeRequest",
    changeRequest
  )
  const [edits, [posted, replied]] = yield* records.zipConcurrent(
    records.find(revisions, {
      ...newest,
      select: ["author", "createdAt"],
      where: Where.and<RevisionRow>(ofChangeRequest, Where.isIn("type", ["edits", "rollback"]))
    }),
    records.zipConcurrent(
      records.find(comments, { ...newest, select: ["postedBy", "postedAt"], where: ofChangeRequest }),
      records.find(commentReplies, {
        ...newest,
        select: ["postedBy", "postedAt"],
        where: records.inSelect<CommentReplyRow, "comment", typeof comments, "id">(
          "comment",
          comments,
          "id",
          ofChangeRequest
        )
      })
    )
  )
  const contributions = {
    edit: edits.flatMap(
      ({ author, createdAt }): ReadonlyArray<Contribution> =>
        author === null ? [] : [{ user: author, at: createdAt }]
    ),
    comment: [...posted, ...replied].map(
      ({ postedBy, postedAt }): Contribution => ({
        user: postedBy,
        at: postedAt
      })
    )
  }
  const found = (["edit", "comment"] as const).flatMap((actionType) =>
    Array.from(
      Map.groupBy(contributions[actionType], ({ user }) => user),
      ([user, own]) => ({
        user,
        actionType,
        count: own.length,
        updatedAt: own.reduce((latest, { at }) => (at > latest ? at : latest), "")
      })
    )
  )
  const people = yield* presentUsers(
    records,
    base,
    found.map(({ user }) => user)
  )
  return found
    .map((one) => ({ ...one, user: people.get(one.user)! }))
    .toSorted(
      (a, b) =>
        b.updatedAt.localeCompare(a.updatedAt) ||
        a.user.id.localeCompare(b.user.id) ||
        a.actionType.localeCompare(b.actionType)
    )
})
