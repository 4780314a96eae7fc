/** Doctor checks of reviews. */

import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../doctor/Check.ts"
import { rowsWith } from "../../doctor/lookups.ts"
import { requireReferences } from "../../doctor/referenceChecks.ts"
import * as Where from "../../storage/Where.ts"
import { comments } from "../comments/commentTables.ts"
import { type ReviewRow, reviews } from "../reviews/reviewTables.ts"

const decisionRecord = "docs/decisions/0055-reviews-and-merge-rules.md"

const currentCheck: Check = {
  name: "review-current",
  invariant: "A user has at most one review of a change request that is not outdated: the latest.",
  source: decisionRecord,
  repair: "marks the earlier reviews as outdated"
}

const commentCheck: Check = {
  name: "review-comment",
  invariant: "The review that a comment was submitted with belongs to the change request of the comment.",
  source: decisionRecord
}

/** The doctor checks of reviews. */
export const reviewExaminations: ReadonlyArray<Examination> = [
  examination(
    reviews,
    [currentCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const changeRequests = [...new Set(rows.map(({ changeRequest }) => changeRequest))]
      const current = yield* rowsWith(
        records,
        reviews,
        "changeRequest",
        changeRequests,
        ["id", "changeRequest", "reviewer"],
        Where.eq("outdated", false)
      )
      const latest = new Map<string, string>()
      for (const { id, changeRequest, reviewer } of current) {
        const key = `${changeRequest}/${reviewer}`
        if (id > (latest.get(key) ?? "")) latest.set(key, id)
      }
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if (row.outdated || latest.get(`${row.changeRequest}/${row.reviewer}`) === row.id) return []
        return [
          {
            check: currentCheck,
            row,
            message: "is not outdated, although its reviewer has a later review",
            repair: records.update(reviews, Where.eq<ReviewRow, "id">("id", row.id), { outdated: true })
          }
        ]
      })
    })
  ),
  requireReferences(commentCheck, {
    over: comments,
    to: reviews,
    ids: (row) => [["review", row.review]],
    select: ["changeRequest"],
    wrong: ({ changeRequest }, review) =>
      review.changeRequest === changeRequest ? undefined : "which belongs to another change request"
  })
]
