/** Doctor checks of comments, replies and reactions. */

import {
  byId,
  type Check,
  type Examination,
  examination,
  type Problem,
  requireCount,
  requireReferences,
  Where
} from "@lectern/kernel"
import {
  type CommentRow,
  changeRequests,
  commentReactions,
  commentReplies,
  comments,
  keys,
  revisions,
  users
} from "@lectern/kernel/tables"
import { Effect } from "effect"
import { findEntries } from "./findEntries.ts"
import { nodeReader } from "./NodeReader.ts"

const decisionRecord = "docs/decisions/0011-comments.md"

const subjectCheck: Check = {
  name: "comment-subject",
  invariant: "The subject of a comment is its change request, which belongs to its space, or else its space.",
  source: "model/comments/Comment.ts"
}

const revisionCheck: Check = {
  name: "comment-revision",
  invariant: "The revision of a comment belongs to its space.",
  source: decisionRecord
}

const pageCheck: Check = {
  name: "comment-page",
  invariant:
    "The page of a comment exists in the revision of the comment, and is indexed by the column `page`.",
  source: decisionRecord
}

const resolutionCheck: Check = {
  name: "comment-resolution",
  invariant:
    "A resolved comment has a time and an existing user who resolved it; an open comment has neither.",
  source: decisionRecord
}

const repliesCheck: Check = {
  name: "comment-replies",
  invariant: "The reply count of a comment equals the number of its replies.",
  source: decisionRecord,
  repair: "counts them again"
}

const mentionsCheck: Check = {
  name: "comment-mentions",
  invariant: "The users whom a comment or a reply mentions exist.",
  source: "model/comments/Comment.ts"
}

const reactionCheck: Check = {
  name: "reaction-target",
  invariant: "The target of a reaction is its reply, which belongs to its comment, or else its comment.",
  source: "model/comments/Comment.ts"
}

/** The doctor checks of comments. */
export const commentExaminations: ReadonlyArray<Examination> = [
  examination(
    comments,
    [subjectCheck],
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
              check: subjectCheck,
              row,
              message: `refers to the change request ${row.changeRequest}, which belongs to another space`
            }
          ]
        }
        const target = row.changeRequest ?? row.space
        return row.subject === target
          ? []
          : [{ check: subjectCheck, row, message: `has the subject ${row.subject} instead of ${target}` }]
      })
    })
  ),
  requireReferences(revisionCheck, {
    over: comments,
    to: revisions,
    ids: (row) => [["revision", row.revision]],
    select: ["space"],
    wrong: ({ space }, named) => (named.space === space ? undefined : "which belongs to another space")
  }),
  examination(
    comments,
    [pageCheck],
    Effect.fnUntraced(function* (tools, rows) {
      const onPages = rows.filter(({ target }) => target !== null)
      const revisionsById = yield* byId(
        tools.records,
        revisions,
        onPages.map((row) => row.revision),
        ["root"]
      )
      const entries = onPages.flatMap((row) => {
        const root = revisionsById.get(row.revision)?.root
        return root === undefined ? [] : [{ root, key: keys.page(row.target!.page) }]
      })
      const found = yield* findEntries(tools.state(nodeReader), entries)
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if ((row.target?.page ?? null) !== row.page) {
          return [
            {
              check: pageCheck,
              row,
              message: `is indexed by the page ${row.page ?? "(none)"} instead of ${row.target?.page ?? "(none)"}`
            }
          ]
        }
        const root = row.page === null ? undefined : revisionsById.get(row.revision)?.root
        const entry = root === undefined ? undefined : found(root, keys.page(row.page!))
        // Another check reports content that cannot be read.
        return entry === undefined || entry.value !== undefined
          ? []
          : [
              {
                check: pageCheck,
                row,
                message: `refers to the page ${row.page}, which does not exist in the revision ${row.revision}`
              }
            ]
      })
    })
  ),
  examination(
    comments,
    [resolutionCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const existing = yield* byId(
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
              check: resolutionCheck,
              row,
              message: `is ${row.status}; resolved by ${row.resolvedBy ?? "(none)"} at ${row.resolvedAt ?? "(none)"}`
            }
          ]
        }
        return row.resolvedBy === null || existing.has(row.resolvedBy)
          ? []
          : [{ check: resolutionCheck, row, message: `is resolved by ${row.resolvedBy}, who does not exist` }]
      })
    })
  ),
  requireCount(repliesCheck, {
    over: comments,
    stored: ({ id, replies }) => [id, replies],
    of: commentReplies,
    by: "comment",
    what: "replies",
    store: (records, id, replies) =>
      records.update(comments, Where.eq<CommentRow, "id">("id", id), { replies })
  }),
  requireReferences(mentionsCheck, {
    over: comments,
    to: users,
    ids: (row) => row.mentions.map((id) => ["mention", id] as const),
    select: ["id"]
  }),
  requireReferences(mentionsCheck, {
    over: commentReplies,
    to: users,
    ids: (row) => row.mentions.map((id) => ["mention", id] as const),
    select: ["id"]
  }),
  examination(
    commentReactions,
    [reactionCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const replies = yield* byId(
        records,
        commentReplies,
        rows.map(({ reply }) => reply),
        ["comment"]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const reply = row.reply === null ? undefined : replies.get(row.reply)
        if (reply !== undefined && reply.comment !== row.comment) {
          return [
            {
              check: reactionCheck,
              row,
              message: `refers to the reply ${row.reply}, which does not belong to the comment ${row.comment}`
            }
          ]
        }
        const target = row.reply ?? row.comment
        return row.target === target
          ? []
          : [{ check: reactionCheck, row, message: `has the target ${row.target} instead of ${target}` }]
      })
    })
  )
]
