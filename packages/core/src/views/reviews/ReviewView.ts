/** Converts rows of reviews and of requested reviewers to resources. */

import type { GrantedReader } from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import type { RequestedReviewerRow, ReviewRow } from "@lectern/kernel/tables"
import type { Comment } from "@lectern/model/comments"
import type { ChangeRequestReview, RequestedReviewer, ReviewId } from "@lectern/model/reviews"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { presentUsers } from "../users/presentUsers.ts"

/** Converts reviews to resources, with one query for their users. `comments` are the comments of the reviews. */
export const presentReviews = (
  records: GrantedReader,
  base: string,
  space: SpaceId,
  rows: ReadonlyArray<ReviewRow>,
  comments: ReadonlyMap<ReviewId, Comment>
): Effect.Effect<ReadonlyArray<ChangeRequestReview>, StorageUnavailable> =>
  Effect.map(
    presentUsers(
      records,
      base,
      rows.flatMap(({ reviewer, requestedBy }) =>
        requestedBy === null ? [reviewer] : [reviewer, requestedBy]
      )
    ),
    (found) =>
      rows.map((row) => {
        const comment = comments.get(row.id)
        return {
          object: "change-request-review",
          id: row.id,
          revision: row.revision,
          reviewer: found.get(row.reviewer)!,
          ...(row.requestedBy === null ? {} : { requestedBy: found.get(row.requestedBy)! }),
          status: row.status,
          outdated: row.outdated,
          ...(comment === undefined ? {} : { comment }),
          createdAt: row.createdAt,
          updatedAt: row.updatedAt,
          urls: {
            location: `${base}/v1/spaces/${space}/change-requests/${row.changeRequest}/reviews/${row.id}`
          }
        }
      })
  )

/** Converts requested reviewers to resources, with one query for their users. */
export const presentRequestedReviewers = (
  records: GrantedReader,
  base: string,
  rows: ReadonlyArray<RequestedReviewerRow>
): Effect.Effect<ReadonlyArray<RequestedReviewer>, StorageUnavailable> =>
  Effect.map(
    presentUsers(
      records,
      base,
      rows.flatMap(({ user, requestedBy }) => [user, requestedBy])
    ),
    (found) =>
      rows.map((row) => ({
        object: "change-request-requested-reviewer",
        kind: "user",
        user: found.get(row.user)!,
        revision: row.revision,
        requestedBy: found.get(row.requestedBy)!,
        createdAt: row.createdAt
      }))
  )
