/** What spaces count, and what they name. */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { counts, rowsWith } from "../../kernel/doctor/lookups.ts"
import { requireReferences } from "../../kernel/doctor/referenceChecks.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { changeRequests } from "../../model/change-requests/ChangeRequest.ts"
import { comments } from "../../model/comments/Comment.ts"
import { revisions } from "../../model/content/Revision.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { isPublishedAt, publishedOf } from "../../views/sites/publishedSpaces.ts"

export const head: Check = {
  name: "space-revision",
  says: "The revision of a space is one of its own, and of none of its change requests.",
  source: "D7"
}

export const openComments: Check = {
  name: "space-comments",
  says: "A space counts the open comments on it.",
  source: "D9",
  repair: "counts them again"
}

export const openRequests: Check = {
  name: "space-change-requests",
  says: "A space counts its open change requests, and its drafts.",
  source: "change-requests/ChangeRequestRules.ts",
  repair: "counts them again"
}

export const counter: Check = {
  name: "change-request-counter",
  says: "The last number that a space gave to a change request is not below the number of any.",
  source: "D8",
  repair: "goes on behind the highest number"
}

export const gaps: Check = {
  name: "change-request-gaps",
  says: "The numbers of the change requests of a space are dense, from 1 on.",
  source: "D8"
}

export const published: Check = {
  name: "space-published",
  says: "A space says of itself where it is published: on the most open of the published sites that it is on.",
  source: "sites/store.ts",
  repair: "finds that out again"
}

/** A count that is not what counting comes to. */
interface Recount {
  readonly check: Check
  readonly column: "comments" | "changeRequestsOpen" | "changeRequestsDraft" | "replies"
  readonly what: string
}

/** The problem of a row whose count is wrong, if it is. */
export const recounted = <R extends { readonly id: string }>(
  row: R & { readonly [column: string]: unknown },
  { check, column, what }: Recount,
  real: number,
  mend: (count: number) => Effect.Effect<unknown, StorageUnavailable>
): ReadonlyArray<Problem> =>
  row[column] === real
    ? []
    : [{ check, row, message: `counts ${row[column]} ${what}; there are ${real}`, mend: mend(real) }]

export const spaceExaminations: ReadonlyArray<Examination> = [
  requireReferences(head, {
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
    [openComments, openRequests],
    Effect.fnUntraced(function* ({ records }, rows) {
      const ids = rows.map(({ id }) => id)
      const said = yield* counts(records, comments, "subject", ids, Where.eq("status", "open"))
      const open = yield* counts(records, changeRequests, "space", ids, Where.eq("status", "open"))
      const drafts = yield* counts(records, changeRequests, "space", ids, Where.eq("status", "draft"))
      const store = (id: SpaceRow["id"], set: Partial<Omit<SpaceRow, "id">>) =>
        records.update(spaces, Where.eq<SpaceRow, "id">("id", id), set)
      return rows.flatMap((row) => [
        ...recounted(
          row,
          { check: openComments, column: "comments", what: "open comments" },
          said(row.id),
          (comments) => store(row.id, { comments })
        ),
        ...recounted(
          row,
          { check: openRequests, column: "changeRequestsOpen", what: "open change requests" },
          open(row.id),
          (changeRequestsOpen) => store(row.id, { changeRequestsOpen })
        ),
        ...recounted(
          row,
          { check: openRequests, column: "changeRequestsDraft", what: "drafts of change requests" },
          drafts(row.id),
          (changeRequestsDraft) => store(row.id, { changeRequestsDraft })
        )
      ])
    })
  ),
  examination(
    spaces,
    [counter, gaps],
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
        const given = (numbers.get(row.id) ?? []).map(({ number }) => number)
        const highest = given.reduce((one, other) => Math.max(one, other), 0)
        const last = Math.max(highest, row.changeRequests)
        return [
          ...(row.changeRequests < highest
            ? [
                {
                  check: counter,
                  row,
                  message: `gave the number ${row.changeRequests} last; there is a change request ${highest}`,
                  mend: records.update(spaces, Where.eq("id", row.id), { changeRequests: highest })
                }
              ]
            : []),
          // Numbers are unique in a space: so many of them up to the last are all.
          ...(given.length === last && given.every((number) => number >= 1)
            ? []
            : [
                {
                  check: gaps,
                  row,
                  message: `gave ${last} numbers to change requests; there are ${given.length} change requests`
                }
              ])
        ]
      })
    })
  ),
  examination(
    spaces,
    [published],
    Effect.fnUntraced(function* ({ records }, rows) {
      const real = yield* publishedOf(
        records,
        rows.map(({ id }) => id)
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const place = real.get(row.id) ?? null
        if (isPublishedAt(row.published, place)) return []
        const said = (one: SpaceRow["published"]) =>
          one === null ? "nowhere" : `${one.visibility} at ${one.url}`
        return [
          {
            check: published,
            row,
            message: `says that it is published ${said(row.published)}; it is ${said(place)}`,
            mend: records.update(spaces, Where.eq("id", row.id), { published: place })
          }
        ]
      })
    })
  )
]
