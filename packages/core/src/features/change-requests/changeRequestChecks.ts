/** Change requests: what they name, and what their status goes with (decision D8); and where revisions come from. */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { counts, rowsWith } from "../../kernel/doctor/lookups.ts"
import { requireReferences } from "../../kernel/doctor/referenceChecks.ts"
import { Where } from "../../kernel/storage/index.ts"
import {
  type ChangeRequestRow,
  changeRequests,
  contributors
} from "../../model/change-requests/ChangeRequest.ts"
import { comments } from "../../model/comments/Comment.ts"
import { revisions } from "../../model/content/Revision.ts"
import { users } from "../../model/users/User.ts"
import { recounted } from "../spaces/spaceChecks.ts"

export const pointers: Check = {
  name: "change-request-revisions",
  says: "The revisions that a change request names are of its space: what it proposes its own or the space's, the others the space's.",
  source: "D8"
}

export const merged: Check = {
  name: "change-request-merged",
  says: "A change request is merged where, and only where, it names the revision that merged it.",
  source: "D8"
}

export const openComments: Check = {
  name: "change-request-comments",
  says: "A change request counts the open comments on it.",
  source: "D9",
  repair: "counts them again"
}

export const took: Check = {
  name: "change-request-contributors",
  says: "Whoever made a change request, or edited its content, is one of its contributors.",
  source: "change-requests/ChangeRequest.ts",
  repair: "adds them"
}

export const parents: Check = {
  name: "revision-parents",
  says: "The revisions that a revision was made from are revisions of the same space.",
  source: "D7"
}

export const origin: Check = {
  name: "revision-origin",
  says: "The change request that a revision belongs to, or that it merged, is one of the same space.",
  source: "D8"
}

export const mergedBack: Check = {
  name: "revision-merged",
  says: "A change request that a revision merged says so.",
  source: "D8"
}

export const kind: Check = {
  name: "revision-type",
  says: "A merge is what merged a change request, and an update is one of a change request.",
  source: "D8"
}

export const author: Check = {
  name: "revision-author",
  says: "A revision was made by somebody who has an account.",
  source: "content/Revision.ts"
}

const initial = "initial revision"
const ancestor = "last update"
const proposal = "revision"
const result = "merge"

/** Where a change request is, in a message. */
const ofAnotherSpace = "which is of another space"

export const changeRequestExaminations: ReadonlyArray<Examination> = [
  requireReferences(pointers, {
    over: changeRequests,
    to: revisions,
    ids: (row) => [
      [proposal, row.revision],
      [initial, row.revisionInitial],
      [ancestor, row.revisionMergedAncestor],
      [result, row.revisionMerged]
    ],
    select: ["space", "changeRequest", "mergedFrom"],
    wrong: (row, revision, what) => {
      if (revision.space !== row.space) return ofAnotherSpace
      if (revision.changeRequest !== null && (what !== proposal || revision.changeRequest !== row.id)) {
        return "which is a revision of a change request"
      }
      return what === result && revision.mergedFrom !== row.id ? "which did not merge it" : undefined
    }
  }),
  examination(changeRequests, [merged], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row): ReadonlyArray<Problem> => {
        if ((row.status === "merged") === (row.revisionMerged !== null)) return []
        const message =
          row.status === "merged"
            ? "is merged, by no revision"
            : `is ${row.status}, and merged by ${row.revisionMerged}`
        return [{ check: merged, row, message }]
      })
    )
  ),
  examination(
    changeRequests,
    [openComments],
    Effect.fnUntraced(function* ({ records }, rows) {
      const said = yield* counts(
        records,
        comments,
        "subject",
        rows.map(({ id }) => id),
        Where.eq("status", "open")
      )
      return rows.flatMap((row) =>
        recounted(
          row,
          { check: openComments, column: "comments", what: "open comments" },
          said(row.id),
          (comments) =>
            records.update(changeRequests, Where.eq<ChangeRequestRow, "id">("id", row.id), { comments })
        )
      )
    })
  ),
  examination(
    changeRequests,
    [took],
    Effect.fnUntraced(function* ({ records }, rows) {
      const ids = rows.map(({ id }) => id)
      const there = yield* rowsWith(records, contributors, "changeRequest", ids, ["changeRequest", "user"])
      const known = new Set(there.map(({ changeRequest, user }) => `${changeRequest}/${user}`))
      const edits = yield* rowsWith(
        records,
        revisions,
        "changeRequest",
        ids,
        ["changeRequest", "author"],
        Where.isIn("type", ["edits", "rollback"])
      )
      const authors = Map.groupBy(edits, ({ changeRequest }) => changeRequest)
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const all = new Set([
          row.createdBy,
          ...(authors.get(row.id) ?? []).flatMap(({ author }) => author ?? [])
        ])
        const missing = [...all].filter((user) => !known.has(`${row.id}/${user}`))
        if (missing.length === 0) return []
        return [
          {
            check: took,
            row,
            message: `has ${missing.length} people more who contributed to it`,
            mend: records.insertMissing(
              contributors,
              missing.map((user) => ({ changeRequest: row.id, user }))
            )
          }
        ]
      })
    })
  ),
  requireReferences(parents, {
    over: revisions,
    to: revisions,
    ids: (row) => row.parents.map((id) => ["parent", id] as const),
    select: ["space"],
    wrong: ({ space }, parent) => (parent.space === space ? undefined : ofAnotherSpace)
  }),
  requireReferences(origin, {
    over: revisions,
    to: changeRequests,
    ids: (row) => [
      ["change request", row.changeRequest],
      ["merged change request", row.mergedFrom]
    ],
    select: ["space"],
    wrong: ({ space }, request) => (request.space === space ? undefined : ofAnotherSpace)
  }),
  requireReferences(mergedBack, {
    over: revisions,
    to: changeRequests,
    ids: (row) => [["merged change request", row.mergedFrom]],
    select: ["revisionMerged"],
    wrong: ({ id }, request) =>
      request.revisionMerged === id ? undefined : "which says that it was not merged by it"
  }),
  examination(revisions, [kind], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row) => {
        const isRight =
          (row.type === "merge") === (row.mergedFrom !== null) &&
          (row.type !== "update" || row.changeRequest !== null)
        const of = row.mergedFrom ?? row.changeRequest ?? "nothing"
        return isRight ? [] : [{ check: kind, row, message: `is of the type ${row.type}, of ${of}` }]
      })
    )
  ),
  requireReferences(author, {
    over: revisions,
    to: users,
    ids: (row) => [["author", row.author]],
    select: ["id"]
  })
]
