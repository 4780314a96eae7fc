/** Doctor checks of spaces: their revision, counters and published URL. */

import {
  type Check,
  countProblems,
  counts,
  type Examination,
  examination,
  type Problem,
  requireReferences,
  rowsWith,
  Where
} from "@lectern/kernel"
import { changeRequests, comments, revisions, type SpaceRow, spaces } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { isPublishedAt, publishedOf } from "../../views/sites/publishedSpaces.ts"

const revisionCheck: Check = {
  name: "space-revision",
  invariant: "The current revision of a space belongs to the space, and to no change request.",
  source: "docs/decisions/0009-content-and-revisions.md"
}

const commentsCheck: Check = {
  name: "space-comments",
  invariant: "The comment count of a space equals the number of its open comments.",
  source: "docs/decisions/0011-comments.md",
  repair: "counts them again"
}

const changeRequestsCheck: Check = {
  name: "space-change-requests",
  invariant: "The counts of a space equal the numbers of its open and of its draft change requests.",
  source: "model/change-requests/ChangeRequestRules.ts",
  repair: "counts them again"
}

const counterCheck: Check = {
  name: "change-request-counter",
  invariant: "The change request counter of a space is at least the highest number of its change requests.",
  source: "docs/decisions/0010-change-requests.md",
  repair: "sets the counter to the highest number"
}

const gapsCheck: Check = {
  name: "change-request-gaps",
  invariant: "The change requests of a space are numbered consecutively from 1.",
  source: "docs/decisions/0010-change-requests.md"
}

const publishedCheck: Check = {
  name: "space-published",
  invariant: "The published URL stored with a space is that of its most visible published site.",
  source: "views/sites/publishedSpaces.ts",
  repair: "derives it from the sites again"
}

/** The doctor checks of spaces. */
export const spaceExaminations: ReadonlyArray<Examination> = [
  requireReferences(revisionCheck, {
    over: spaces,
    to: revisions,
    ids: ({ revision }) => [["revision", revision]],
    select: ["space", "changeRequest"],
    wrong: ({ id }, revision) =>
      revision.space !== id
        ? "which is a revision of another space"
        : revision.changeRequest !== null
          ? "which is a revision of a change request"
          : undefined
  }),
  examination(
    spaces,
    [commentsCheck, changeRequestsCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const ids = rows.map(({ id }) => id)
      const openComments = yield* counts(records, comments, "subject", ids, Where.eq("status", "open"))
      const openRequests = yield* counts(records, changeRequests, "space", ids, Where.eq("status", "open"))
      const drafts = yield* counts(records, changeRequests, "space", ids, Where.eq("status", "draft"))
      const store = (id: SpaceRow["id"], set: Partial<Omit<SpaceRow, "id">>) =>
        records.update(spaces, Where.eq<SpaceRow, "id">("id", id), set)
      return rows.flatMap((row) => [
        ...countProblems(
          row,
          { check: commentsCheck, column: "comments", what: "open comments" },
          openComments(row.id),
          (comments) => store(row.id, { comments })
        ),
        ...countProblems(
          row,
          { check: changeRequestsCheck, column: "changeRequestsOpen", what: "open change requests" },
          openRequests(row.id),
          (changeRequestsOpen) => store(row.id, { changeRequestsOpen })
        ),
        ...countProblems(
          row,
          { check: changeRequestsCheck, column: "changeRequestsDraft", what: "drafts of change requests" },
          drafts(row.id),
          (changeRequestsDraft) => store(row.id, { changeRequestsDraft })
        )
      ])
    })
  ),
  examination(
    spaces,
    [counterCheck, gapsCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const numbers = Map.groupBy(
        yield* rowsWith(
          records,
          changeRequests,
          "space",
          rows.map(({ id }) => id),
          ["space", "number"]
        ),
        ({ space }) => space
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const assigned = (numbers.get(row.id) ?? []).map(({ number }) => number)
        const highest = assigned.reduce((one, other) => Math.max(one, other), 0)
        const last = Math.max(highest, row.changeRequests)
        return [
          ...(row.changeRequests < highest
            ? [
                {
                  check: counterCheck,
                  row,
                  message: `has the counter ${row.changeRequests}, but a change request with the number ${highest}`,
                  repair: records.update(spaces, Where.eq("id", row.id), { changeRequests: highest })
                }
              ]
            : []),
          // Numbers are unique within a space, so that `last` of them from 1 to `last` leave no gap.
          ...(assigned.length === last && assigned.every((number) => number >= 1)
            ? []
            : [
                {
                  check: gapsCheck,
                  row,
                  message: `has assigned ${last} numbers, but has ${assigned.length} change requests`
                }
              ])
        ]
      })
    })
  ),
  examination(
    spaces,
    [publishedCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const places = yield* publishedOf(
        records,
        rows.map(({ id }) => id)
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const place = places.get(row.id) ?? null
        if (isPublishedAt(row.published, place)) return []
        const describe = (published: SpaceRow["published"]) =>
          published === null ? "unpublished" : `published (${published.visibility}) at ${published.url}`
        return [
          {
            check: publishedCheck,
            row,
            message: `is stored as ${describe(row.published)}; it is ${describe(place)}`,
            repair: records.update(spaces, Where.eq("id", row.id), { published: place })
          }
        ]
      })
    })
  )
]
