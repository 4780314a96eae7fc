/** Doctor checks of change requests, and of the origin of revisions. */

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
  contributors,
  revisions,
  users
} from "@lectern/kernel/tables"
import { Effect } from "effect"

const decisionRecord = "docs/decisions/0010-change-requests.md"

const revisionsCheck: Check = {
  name: "change-request-revisions",
  invariant:
    "The revisions of a change request belong to its space; only the current one can be a revision of the change request.",
  source: decisionRecord
}

const mergedCheck: Check = {
  name: "change-request-merged",
  invariant: "A change request has the status `merged` if and only if it has the revision that merged it.",
  source: decisionRecord
}

const commentsCheck: Check = {
  name: "change-request-comments",
  invariant: "The comment count of a change request equals the number of its open comments.",
  source: "docs/decisions/0011-comments.md",
  repair: "counts them again"
}

const contributorsCheck: Check = {
  name: "change-request-contributors",
  invariant: "The author of a change request and the users who edited its content are contributors.",
  source: "model/change-requests/ChangeRequest.ts",
  repair: "adds the missing contributors"
}

const parentsCheck: Check = {
  name: "revision-parents",
  invariant: "The parents of a revision belong to the same space.",
  source: "docs/decisions/0009-content-and-revisions.md"
}

const originCheck: Check = {
  name: "revision-origin",
  invariant: "The change request that a revision belongs to, or that it merged, belongs to the same space.",
  source: decisionRecord
}

const mergeCheck: Check = {
  name: "revision-merged",
  invariant: "A change request refers to the revision that merged it.",
  source: decisionRecord
}

const typeCheck: Check = {
  name: "revision-type",
  invariant:
    "A revision merged a change request if and only if its type is `merge`; an `update` belongs to a change request.",
  source: decisionRecord
}

const authorCheck: Check = {
  name: "revision-author",
  invariant: "The author of a revision exists.",
  source: "model/content/Revision.ts"
}

/** The roles of the revisions of a change request, in messages. */
const revisionRoles = {
  initial: "initial revision",
  ancestor: "last update",
  current: "revision",
  merge: "merge"
} as const

const inAnotherSpace = "which belongs to another space"

/** The doctor checks of change requests. */
export const changeRequestExaminations: ReadonlyArray<Examination> = [
  requireReferences(revisionsCheck, {
    over: changeRequests,
    to: revisions,
    ids: (row) => [
      [revisionRoles.current, row.revision],
      [revisionRoles.initial, row.revisionInitial],
      [revisionRoles.ancestor, row.revisionMergedAncestor],
      [revisionRoles.merge, row.revisionMerged]
    ],
    select: ["space", "changeRequest", "mergedFrom"],
    wrong: (row, revision, role) => {
      if (revision.space !== row.space) return inAnotherSpace
      if (
        revision.changeRequest !== null &&
        (role !== revisionRoles.current || revision.changeRequest !== row.id)
      ) {
        return "which is a revision of a change request"
      }
      return role === revisionRoles.merge && revision.mergedFrom !== row.id
        ? "which did not merge it"
        : undefined
    }
  }),
  examination(changeRequests, [mergedCheck], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row): ReadonlyArray<Problem> => {
        if ((row.status === "merged") === (row.revisionMerged !== null)) return []
        const message =
          row.status === "merged"
            ? "is merged, but has no revision that merged it"
            : `is ${row.status}, but has the merging revision ${row.revisionMerged}`
        return [{ check: mergedCheck, row, message }]
      })
    )
  ),
  requireCount(commentsCheck, {
    over: changeRequests,
    stored: ({ id, comments }) => [id, comments],
    of: comments,
    by: "subject",
    where: Where.eq<CommentRow, "status">("status", "open"),
    what: "open comments",
    store: (records, id, count) =>
      records.update(changeRequests, Where.eq<ChangeRequestRow, "id">("id", id), { comments: count })
  }),
  examination(
    changeRequests,
    [contributorsCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const ids = rows.map(({ id }) => id)
      const stored = yield* rowsWith(records, contributors, "changeRequest", ids, ["changeRequest", "user"])
      const storedKeys = new Set(stored.map(({ changeRequest, user }) => `${changeRequest}/${user}`))
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
        const actual = new Set([
          row.createdBy,
          ...(authors.get(row.id) ?? []).flatMap(({ author }) => author ?? [])
        ])
        const missing = [...actual].filter((user) => !storedKeys.has(`${row.id}/${user}`))
        if (missing.length === 0) return []
        return [
          {
            check: contributorsCheck,
            row,
            message: `lacks ${missing.length} of its ${actual.size} contributors`,
            repair: records.insertMissing(
              contributors,
              missing.map((user) => ({ organization: row.organization, changeRequest: row.id, user }))
            )
          }
        ]
      })
    })
  ),
  requireReferences(parentsCheck, {
    over: revisions,
    to: revisions,
    ids: (row) => row.parents.map((id) => ["parent", id] as const),
    select: ["space"],
    wrong: ({ space }, parent) => (parent.space === space ? undefined : inAnotherSpace)
  }),
  requireReferences(originCheck, {
    over: revisions,
    to: changeRequests,
    ids: (row) => [
      ["change request", row.changeRequest],
      ["merged change request", row.mergedFrom]
    ],
    select: ["space"],
    wrong: ({ space }, request) => (request.space === space ? undefined : inAnotherSpace)
  }),
  requireReferences(mergeCheck, {
    over: revisions,
    to: changeRequests,
    ids: (row) => [["merged change request", row.mergedFrom]],
    select: ["revisionMerged"],
    wrong: ({ id }, request) => (request.revisionMerged === id ? undefined : "which does not refer to it")
  }),
  examination(revisions, [typeCheck], (_, rows) =>
    Effect.succeed(
      rows.flatMap((row) => {
        const isValid =
          (row.type === "merge") === (row.mergedFrom !== null) &&
          (row.type !== "update" || row.changeRequest !== null)
        const request = row.mergedFrom ?? row.changeRequest ?? "(none)"
        const message = `has the type ${row.type} and the change request ${request}`
        return isValid ? [] : [{ check: typeCheck, row, message }]
      })
    )
  ),
  requireReferences(authorCheck, {
    over: revisions,
    to: users,
    ids: (row) => [["author", row.author]],
    select: ["id"]
  })
]
