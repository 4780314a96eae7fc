/** Creates the tables of content and change requests. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable, raw } from "../SchemaChange.ts"
import { spaces, users } from "./0001-foundation.ts"

const { bytes, integer, json, nullable, text } = Table

export const changeRequests = Table.make("changeRequests", {
  columns: {
    id: text(),
    space: text(),
    number: integer(),
    status: text(),
    subject: text(),
    createdBy: text(),
    agentTaskId: nullable(text()),
    revision: text(),
    revisionInitial: text(),
    revisionMergedAncestor: nullable(text()),
    revisionMerged: nullable(text()),
    comments: integer(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["id"],
  unique: [["space", "number"]],
  references: {
    space: { table: () => spaces, onRemove: "cascade" },
    createdBy: { table: () => users, onRemove: "restrict" }
  },
  indexes: [["space", "status", "number"], ["createdBy"]]
})

const contributors = Table.make("changeRequestContributors", {
  columns: { changeRequest: text(), user: text() },
  key: ["changeRequest", "user"],
  references: {
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})

const revisions = Table.make("revisions", {
  columns: {
    id: text(),
    space: text(),
    changeRequest: nullable(text()),
    type: text(),
    root: text(),
    parents: json(),
    mergedFrom: nullable(text()),
    author: nullable(text()),
    message: nullable(text()),
    git: nullable(json()),
    createdAt: text()
  },
  key: ["id"],
  references: {
    space: { table: () => spaces, onRemove: "cascade" },
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    mergedFrom: { table: () => changeRequests, onRemove: "cascade" }
  },
  indexes: [["space"], ["changeRequest"], ["mergedFrom"], ["root"]]
})

/** Migration 8 refers to this table. */
export const blobs = Table.make("blobs", {
  columns: { hash: text(), bytes: bytes(), usedAt: text() },
  key: ["hash"]
})

const secrets = Table.make("secrets", { columns: { name: text(), value: text() }, key: ["name"] })

/** Spaces refer to a first revision that no table stored before this migration. Inserts it, with empty content. */
const insertFirstRevisions = (table: (name: string) => string) => [
  `INSERT INTO ${table("revisions")} ("id", "space", "type", "root", "parents", "createdAt") ` +
    `SELECT "revision", "id", 'edits', 'bbY4_k0vkc5t9dxbSO7_wUKvk7yEflL_b3EUA7dTL3A', '[]', "createdAt" FROM ${table("spaces")}`
]

export const content: Migration = {
  number: 2,
  name: "content",
  changes: [
    ...[changeRequests, contributors, revisions, blobs, secrets].map(createTable),
    raw({ sqlite: insertFirstRevisions, postgres: insertFirstRevisions })
  ]
}
