/** Doctor checks of spaces: their revision, counters and published URL. */

import {
  type Check,
  type Examination,
  examination,
  type Problem,
  requireCount,
  requireReferences,
  rowsWith,
  Where
} from "@lectern/kernel"
import {
  type ChangeRequestRow,
  type CommentRow,
  changeRequests,
  comments,
  revisions,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
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

const ofSpace = (id: SpaceRow["id"]) => Where.eq<SpaceRow, "id">("id", id)

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
  requireCount(commentsCheck, {
    over: spaces,
    stored: ({ id, comments }) => [id, comments],
    of: comments,
    by: "subject",
    where: Where.eq<CommentRow, "status">("status", "open"),
    what: "open comments",
    store: (records, id, count) => records.update(spaces, ofSpace(id), { comments: count })
  }),
  requireCount(changeRequestsCheck, {
    over: spaces,
    stored: ({ id, changeRequestsOpen }) => [id, changeRequestsOpen],
    of: changeRequests,
    by: "space",
    where: Where.eq<ChangeRequestRow, "status">("status", "open"),
    what: "open change requests",
    store: (records, id, count) => records.update(spaces, ofSpace(id), { changeRequestsOpen: count })
  }),
  requireCount(changeRequestsCheck, {
    over: spaces,
    stored: ({ id, changeRequestsDraft }) => [id, changeRequestsDraft],
    of: changeRequests,
    by: "space",
    where: Where.eq<ChangeRequestRow, "status">("status", "draft"),
    what: "drafts of change requests",
    store: (records, id, count) => records.update(spaces, ofSpace(id), { changeRequestsDraft: count })
  }),
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
