/** The tables `comments`, `commentReplies` and `commentReactions`. */

import type { ChangeRequestId } from "@lectern/model/change-requests"
import type { CommentedPage, CommentId, CommentReplyId, CommentStatus } from "@lectern/model/comments"
import type { PageId, RevisionId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { ReviewId } from "@lectern/model/reviews"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { changeRequests } from "../change-requests/changeRequestTables.ts"
import { lockedBySpace } from "../locks/tableLocks.ts"
import { spaces } from "../spaces/spaceTable.ts"
import { users } from "../users/userTable.ts"

const commentColumns = {
  id: Table.text<CommentId>(),
  organization: Table.text<OrganizationId>(),
  space: Table.text<SpaceId>(),
  changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
  review: Table.nullable(Table.text<ReviewId>()),
  subject: Table.text(),
  revision: Table.text<RevisionId>(),
  page: Table.nullable(Table.text<PageId>()),
  target: Table.nullable(Table.json<CommentedPage>()),
  body: Table.text(),
  mentions: Table.json<ReadonlyArray<UserId>>(),
  postedBy: Table.text<UserId>(),
  postedAt: Table.text(),
  editedAt: Table.nullable(Table.text()),
  status: Table.text<CommentStatus>(),
  resolvedBy: Table.nullable(Table.text<UserId>()),
  resolvedAt: Table.nullable(Table.text()),
  replies: Table.integer()
}

/** A row of the table `comments`. */
export interface CommentRow extends Table.RowOf<typeof commentColumns> {}

/**
 * The table of comments. `subject` is the id of the change request, or of the space for comments on primary content.
 * `mentions` are the members whose e-mail addresses the body mentions.
 */
export const comments: Table.ProtectedTable<"comments", CommentRow, "id"> = Table.makeProtected("comments", {
  tenant: "organization",
  columns: commentColumns,
  locking: lockedBySpace,
  key: ["id"],
  references: {
    space: { table: () => spaces, onRemove: "cascade" },
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    postedBy: { table: () => users, onRemove: "restrict" }
  },
  indexes: [
    ["subject", "id"],
    ["subject", "status", "id"],
    ["subject", "page", "id"],
    ["subject", "postedBy", "id"],
    ["space"],
    ["changeRequest"],
    ["review"],
    ["postedBy"]
  ]
})

const commentReplyColumns = {
  id: Table.text<CommentReplyId>(),
  organization: Table.text<OrganizationId>(),
  comment: Table.text<CommentId>(),
  body: Table.text(),
  mentions: Table.json<ReadonlyArray<UserId>>(),
  postedBy: Table.text<UserId>(),
  postedAt: Table.text(),
  editedAt: Table.nullable(Table.text())
}

/** A row of the table `commentReplies`. */
export interface CommentReplyRow extends Table.RowOf<typeof commentReplyColumns> {}

/** The table of replies. */
export const commentReplies: Table.ProtectedTable<"commentReplies", CommentReplyRow, "id"> =
  Table.makeProtected("commentReplies", {
    tenant: "organization",
    columns: commentReplyColumns,
    locking: lockedBySpace,
    key: ["id"],
    references: {
      comment: { table: () => comments, onRemove: "cascade" },
      postedBy: { table: () => users, onRemove: "restrict" }
    },
    indexes: [["comment", "id"], ["postedBy"]]
  })

const commentReactionColumns = {
  organization: Table.text<OrganizationId>(),
  target: Table.text<CommentId | CommentReplyId>(),
  emoji: Table.text(),
  user: Table.text<UserId>(),
  id: Table.text(),
  reactedAt: Table.text(),
  comment: Table.text<CommentId>(),
  reply: Table.nullable(Table.text<CommentReplyId>())
}

/** A row of the table `commentReactions`. */
export interface CommentReactionRow extends Table.RowOf<typeof commentReactionColumns> {}

/**
 * The table of reactions: one row per emoji and user. `target` is the reply or the comment; `id` orders them by time.
 */
export const commentReactions: Table.ProtectedTable<
  "commentReactions",
  CommentReactionRow,
  "target" | "emoji" | "user"
> = Table.makeProtected("commentReactions", {
  tenant: "organization",
  columns: commentReactionColumns,
  locking: lockedBySpace,
  key: ["target", "emoji", "user"],
  references: {
    comment: { table: () => comments, onRemove: "cascade" },
    reply: { table: () => commentReplies, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["target", "id"], ["comment"], ["reply"], ["user"]]
})
