/** Comments, the replies and reactions to them (decision D9). */
import { Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../../kernel/doctor/Check.ts"
import { byId, counts } from "../../kernel/doctor/lookups.ts"
import { requireReferences } from "../../kernel/doctor/referenceChecks.ts"
import { Where } from "../../kernel/storage/index.ts"
import { changeRequests } from "../../model/change-requests/ChangeRequest.ts"
import { type CommentRow, commentReactions, commentReplies, comments } from "../../model/comments/Comment.ts"
import { keys } from "../../model/content/ContentRecord.ts"
import { revisions } from "../../model/content/Revision.ts"
import { users } from "../../model/users/User.ts"
import { findEntries } from "../content/checks/findEntries.ts"
import { nodeReader } from "../content/checks/NodeReader.ts"
import { recounted } from "../spaces/spaceChecks.ts"

export const subject: Check = {
  name: "comment-subject",
  says: "A comment is found by what it is on: its change request, which is one of its space, or else its space.",
  source: "comments/Comment.ts"
}

export const revision: Check = {
  name: "comment-revision",
  says: "A comment names the revision that was commented: one of its space.",
  source: "D9"
}

export const page: Check = {
  name: "comment-page",
  says: "The page that a comment is on was in the content when it was posted, and it is found by it.",
  source: "D9"
}

export const resolution: Check = {
  name: "comment-resolution",
  says: "A comment is resolved by somebody at some time, or it is open.",
  source: "D9"
}

export const replies: Check = {
  name: "comment-replies",
  says: "A comment counts the replies to it.",
  source: "D9",
  repair: "counts them again"
}

export const mentions: Check = {
  name: "comment-mentions",
  says: "Those whom a comment or a reply mentions have an account.",
  source: "comments/Comment.ts"
}

export const reaction: Check = {
  name: "reaction-target",
  says: "A reaction is found by what it is to: its reply, which is one to its comment, or else its comment.",
  source: "comments/Comment.ts"
}

export const commentExaminations: ReadonlyArray<Examination> = [
  examination(
    comments,
    [subject],
    Effect.fnUntraced(function* ({ records }, rows) {
      const requests = yield* byId(
        records,
        changeRequests,
        rows.map(({ changeRequest }) => changeRequest),
        ["space"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const request = row.changeRequest === null ? undefined : requests.get(row.changeRequest)
        if (request !== undefined && request.space !== row.space) {
          return [
            {
              check: subject,
              row,
              message: `is on the change request ${row.changeRequest}, which is of another space`
            }
          ]
        }
        const target = row.changeRequest ?? row.space
        return row.subject === target
          ? []
          : [{ check: subject, row, message: `is on ${target}, and is found on ${row.subject}` }]
      })
    })
  ),
  requireReferences(revision, {
    over: comments,
    to: revisions,
    ids: (row) => [["revision", row.revision]],
    select: ["space"],
    wrong: ({ space }, named) => (named.space === space ? undefined : "which is of another space")
  }),
  examination(
    comments,
    [page],
    Effect.fnUntraced(function* (tools, rows) {
      const named = rows.filter(({ target }) => target !== null)
      const there = yield* byId(
        tools.records,
        revisions,
        named.map((row) => row.revision),
        ["root"]
      )
      const asked = named.flatMap((row) => {
        const root = there.get(row.revision)?.root
        return root === undefined ? [] : [{ root, key: keys.page(row.target!.page) }]
      })
      const found = yield* findEntries(tools.state(nodeReader), asked)
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if ((row.target?.page ?? null) !== row.page) {
          return [
            {
              check: page,
              row,
              message: `is on the page ${row.target?.page ?? "(none)"}, and is found on ${row.page ?? "(none)"}`
            }
          ]
        }
        const root = row.page === null ? undefined : there.get(row.revision)?.root
        const sought = root === undefined ? undefined : found(root, keys.page(row.page!))
        // Content that cannot be read is another check's.
        return sought === undefined || sought.value !== undefined
          ? []
          : [
              {
                check: page,
                row,
                message: `is on the page ${row.page}, which was not in the revision ${row.revision}`
              }
            ]
      })
    })
  ),
  examination(
    comments,
    [resolution],
    Effect.fnUntraced(function* ({ records }, rows) {
      const there = yield* byId(
        records,
        users,
        rows.map(({ resolvedBy }) => resolvedBy),
        ["id"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const isResolved = row.status === "resolved"
        if (isResolved !== (row.resolvedBy !== null) || isResolved !== (row.resolvedAt !== null)) {
          return [
            {
              check: resolution,
              row,
              message: `is ${row.status}; by ${row.resolvedBy ?? "nobody"}, at ${row.resolvedAt ?? "no time"}`
            }
          ]
        }
        return row.resolvedBy === null || there.has(row.resolvedBy)
          ? []
          : [{ check: resolution, row, message: `is resolved by ${row.resolvedBy}, who has no account` }]
      })
    })
  ),
  examination(
    comments,
    [replies],
    Effect.fnUntraced(function* ({ records }, rows) {
      const real = yield* counts(
        records,
        commentReplies,
        "comment",
        rows.map(({ id }) => id)
      )
      return rows.flatMap((row) =>
        recounted(row, { check: replies, column: "replies", what: "replies" }, real(row.id), (replies) =>
          records.update(comments, Where.eq<CommentRow, "id">("id", row.id), { replies })
        )
      )
    })
  ),
  requireReferences(mentions, {
    over: comments,
    to: users,
    ids: (row) => row.mentions.map((id) => ["mention", id] as const),
    select: ["id"]
  }),
  requireReferences(mentions, {
    over: commentReplies,
    to: users,
    ids: (row) => row.mentions.map((id) => ["mention", id] as const),
    select: ["id"]
  }),
  examination(
    commentReactions,
    [reaction],
    Effect.fnUntraced(function* ({ records }, rows) {
      const answers = yield* byId(
        records,
        commentReplies,
        rows.map(({ reply }) => reply),
        ["comment"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const answer = row.reply === null ? undefined : answers.get(row.reply)
        if (answer !== undefined && answer.comment !== row.comment) {
          return [
            {
              check: reaction,
              row,
              message: `is to the reply ${row.reply}, which is not to the comment ${row.comment}`
            }
          ]
        }
        const target = row.reply ?? row.comment
        return row.target === target
          ? []
          : [{ check: reaction, row, message: `is to ${target}, and is found at ${row.target}` }]
      })
    })
  )
]
