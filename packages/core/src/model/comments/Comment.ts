/** A comment on a space or on a change request, and the replies to it: a thread (decision D9). */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { ListOrder, PageQuery } from "../../kernel/schema/Pagination.ts"
import { Timestamp, text } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type ChangeRequestId, changeRequests } from "../change-requests/ChangeRequest.ts"
import { JsonDocument } from "../content/document/Document.ts"
import { PageId } from "../content/Page.ts"
import { RevisionId } from "../content/Revision.ts"
import { SpaceId, spaces } from "../spaces/Space.ts"
import { User, UserId, users } from "../users/User.ts"

export const CommentId = idSchema("The id of a comment.").pipe(Schema.brand("CommentId"))
export type CommentId = typeof CommentId.Type

export const CommentReplyId = idSchema("The id of a reply to a comment.").pipe(Schema.brand("CommentReplyId"))
export type CommentReplyId = typeof CommentReplyId.Type

/** Whether what a comment is about is settled. */
export const CommentStatus = Schema.Literals(["open", "resolved"])
export type CommentStatus = typeof CommentStatus.Type

/** What was said: markdown, or the same as a document. */
const Said = Schema.Struct({
  markdown: Schema.optionalKey(Schema.String),
  document: Schema.optionalKey(JsonDocument)
})

/** The users who reacted with an emoji, the first one first. */
const Reaction = Schema.Struct({
  emoji: Schema.String,
  count: Schema.Int,
  users: Schema.Array(Schema.Struct({ user: User, reactedAt: Timestamp }))
})
export type Reaction = typeof Reaction.Type

const CommentPermissions = Schema.Struct({
  view: Schema.Boolean,
  edit: Schema.Boolean,
  reply: Schema.Boolean,
  delete: Schema.Boolean
})

const posted = {
  postedBy: User,
  postedAt: Timestamp,
  editedAt: Schema.optionalKey(Timestamp),
  reactions: Schema.Array(Reaction),
  body: Said,
  urls: Schema.Struct({ location: Schema.String }),
  permissions: CommentPermissions
}

/** The page that a comment is on. `outdated`: it has changed since, or is gone; its fields are then the last known. */
const TargetPage = Schema.Struct({
  id: PageId,
  title: Schema.String,
  emoji: Schema.optionalKey(Schema.String),
  icon: Schema.optionalKey(Schema.String),
  createdAt: Schema.optionalKey(Timestamp),
  updatedAt: Schema.optionalKey(Timestamp),
  path: Schema.String,
  outdated: Schema.Boolean
})
export type TargetPage = typeof TargetPage.Type

/** A comment, as the specification shows one. `resolvedAt` and `resolvedBy` are there of resolved ones. */
export const Comment = Schema.Struct({
  object: Schema.Literal("comment"),
  id: CommentId,
  ...posted,
  replies: Schema.Int,
  target: Schema.Struct({
    node: Schema.optionalKey(
      Schema.Struct({ id: Schema.String, preview: Schema.optionalKey(Schema.String) })
    ),
    page: Schema.optionalKey(TargetPage),
    changeRequest: Schema.optionalKey(Schema.String),
    space: SpaceId,
    revision: RevisionId
  }),
  status: CommentStatus,
  resolvedAt: Schema.optionalKey(Timestamp),
  resolvedBy: Schema.optionalKey(User)
}).annotate({ identifier: "Comment" })
export type Comment = typeof Comment.Type

/** A reply to a comment, as the specification shows one. */
export const CommentReply = Schema.Struct({
  object: Schema.Literal("comment-reply"),
  id: CommentReplyId,
  ...posted
}).annotate({ identifier: "CommentReply" })
export type CommentReply = typeof CommentReply.Type

/** What is to be said: markdown, or a document; 1 to 10,000 characters of markdown in the end. */
export const CommentBody = Schema.Struct({
  markdown: Schema.optionalKey(text({ min: 1, max: 10_000 })),
  document: Schema.optionalKey(JsonDocument)
}).check(
  Schema.makeFilter(({ markdown, document }) =>
    (markdown === undefined) === (document === undefined) ? "must have markdown or a document" : undefined
  )
)
export type CommentBody = typeof CommentBody.Type

/** A comment to post: on the content as a whole, on a page, or on a node of a page's document. */
export const PostComment = Schema.Struct({
  body: CommentBody,
  page: Schema.optionalKey(PageId),
  node: Schema.optionalKey(text({ min: 1, max: 200 }))
}).annotate({ identifier: "PostComment" })
export type PostComment = typeof PostComment.Type

/** A reply to post. */
export const PostReply = Schema.Struct({ body: CommentBody }).annotate({ identifier: "PostReply" })
export type PostReply = typeof PostReply.Type

/** Emojis, at most 20 of 1 to 50 characters. */
const Emojis = Schema.Array(text({ min: 1, max: 50 })).check(
  Schema.isMaxLength(20, { message: "must be at most 20 emojis" })
)

/** What can be changed of a reply. */
export const UpdateReply = Schema.Struct({
  body: Schema.optionalKey(CommentBody),
  addedReactions: Schema.optionalKey(Emojis),
  removedReactions: Schema.optionalKey(Emojis)
}).annotate({ identifier: "UpdateReply" })
export type UpdateReply = typeof UpdateReply.Type

/** What can be changed of a comment. */
export const UpdateComment = Schema.Struct({
  ...UpdateReply.fields,
  resolved: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "UpdateComment" })
export type UpdateComment = typeof UpdateComment.Type

/** In which format bodies are shown; markdown by default. */
export const CommentOptions = Schema.Struct({
  format: Schema.optionalKey(Schema.Literals(["document", "markdown"]))
})
export type CommentOptions = typeof CommentOptions.Type

/** Which comments to list: all by default, the newest first. */
export const ListComments = Schema.Struct({
  ...PageQuery.fields,
  ...CommentOptions.fields,
  order: Schema.optionalKey(ListOrder),
  status: Schema.optionalKey(Schema.Literals(["all", "open", "resolved"])),
  targetPage: Schema.optionalKey(PageId),
  authors: Schema.optionalKey(Schema.Array(UserId))
})
export type ListComments = typeof ListComments.Type

/** A page of the replies to a comment. */
export const ListReplies = Schema.Struct({ ...PageQuery.fields, ...CommentOptions.fields })
export type ListReplies = typeof ListReplies.Type

/** The target of a comment as it was when the comment was posted; `state` tells whether the page has changed since. */
export interface CommentTarget {
  readonly page: PageId
  readonly title: string
  readonly path: string
  readonly state: string
  readonly node?: string
  readonly preview?: string
}

/**
 * Where comments are kept. `subject` is the id of what is commented: the space, or the change request. `mentions` are
 * the members whose e-mail addresses it names.
 */
export const comments = Table.make("comments", {
  columns: {
    id: Table.text<CommentId>(),
    space: Table.text<SpaceId>(),
    changeRequest: Table.nullable(Table.text<ChangeRequestId>()),
    subject: Table.text(),
    revision: Table.text<RevisionId>(),
    page: Table.nullable(Table.text<PageId>()),
    target: Table.nullable(Table.json<CommentTarget>()),
    body: Table.text(),
    mentions: Table.json<ReadonlyArray<UserId>>(),
    postedBy: Table.text<UserId>(),
    postedAt: Table.text(),
    editedAt: Table.nullable(Table.text()),
    status: Table.text<CommentStatus>(),
    resolvedBy: Table.nullable(Table.text<UserId>()),
    resolvedAt: Table.nullable(Table.text()),
    replies: Table.integer()
  },
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
    ["postedBy"]
  ]
})
export type CommentRow = Table.Row<typeof comments>

/** Where replies are kept. */
export const commentReplies = Table.make("commentReplies", {
  columns: {
    id: Table.text<CommentReplyId>(),
    comment: Table.text<CommentId>(),
    body: Table.text(),
    mentions: Table.json<ReadonlyArray<UserId>>(),
    postedBy: Table.text<UserId>(),
    postedAt: Table.text(),
    editedAt: Table.nullable(Table.text())
  },
  key: ["id"],
  references: {
    comment: { table: () => comments, onRemove: "cascade" },
    postedBy: { table: () => users, onRemove: "restrict" }
  },
  indexes: [["comment", "id"], ["postedBy"]]
})
export type CommentReplyRow = Table.Row<typeof commentReplies>

/**
 * Where reactions are kept: a set for each emoji and user. `target` is the comment or the reply; `id` is in the order
 * in which they came.
 */
export const commentReactions = Table.make("commentReactions", {
  columns: {
    target: Table.text<CommentId | CommentReplyId>(),
    emoji: Table.text(),
    user: Table.text<UserId>(),
    id: Table.text(),
    reactedAt: Table.text(),
    comment: Table.text<CommentId>(),
    reply: Table.nullable(Table.text<CommentReplyId>())
  },
  key: ["target", "emoji", "user"],
  references: {
    comment: { table: () => comments, onRemove: "cascade" },
    reply: { table: () => commentReplies, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["target", "id"], ["comment"], ["reply"], ["user"]]
})
export type CommentReactionRow = Table.Row<typeof commentReactions>
