/** Creates the tables of comments, replies and reactions. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { spaces, users } from "./0001-foundation.ts"
import { changeRequests } from "./0002-content.ts"

const { integer, json, nullable, text } = Table

export const commentsTable = Table.make("comments", {
  columns: {
    id: text(),
    space: text(),
    changeRequest: nullable(text()),
    subject: text(),
    revision: text(),
    page: nullable(text()),
    target: nullable(json()),
    body: text(),
    mentions: json(),
    postedBy: text(),
    postedAt: text(),
    editedAt: nullable(text()),
    status: text(),
    resolvedBy: nullable(text()),
    resolvedAt: nullable(text()),
    replies: integer()
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

const replies = Table.make("commentReplies", {
  columns: {
    id: text(),
    comment: text(),
    body: text(),
    mentions: json(),
    postedBy: text(),
    postedAt: text(),
    editedAt: nullable(text())
  },
  key: ["id"],
  references: {
    comment: { table: () => commentsTable, onRemove: "cascade" },
    postedBy: { table: () => users, onRemove: "restrict" }
  },
  indexes: [["comment", "id"], ["postedBy"]]
})

const reactions = Table.make("commentReactions", {
  columns: {
    target: text(),
    emoji: text(),
    user: text(),
    id: text(),
    reactedAt: text(),
    comment: text(),
    reply: nullable(text())
  },
  key: ["target", "emoji", "user"],
  references: {
    comment: { table: () => commentsTable, onRemove: "cascade" },
    reply: { table: () => replies, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["target", "id"], ["comment"], ["reply"], ["user"]]
})

export const comments: Migration = {
  number: 3,
  name: "comments",
  changes: [commentsTable, replies, reactions].map(createTable)
}
