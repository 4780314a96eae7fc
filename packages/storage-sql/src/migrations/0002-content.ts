/** The tables of content and of change requests, as they were when these came. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { makeTable, raw } from "../SchemaChange.ts"
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

/** Referred to by later migrations. */
export const blobs = Table.make("blobs", {
  columns: { hash: text(), bytes: bytes(), usedAt: text() },
  key: ["hash"]
})

const secrets = Table.make("secrets", { columns: { name: text(), value: text() }, key: ["name"] })

/** Spaces named a first revision before there were any: each gets it, without content. */
const firstRevisions = (table: (name: string) => string) => [
  `INSERT INTO ${table("revisions")} ("id", "space", "type", "root", "parents", "createdAt") ` +
    `SELECT "revision", "id", 'edits', 'bbY4_k0vkc5t9dxbSO7_wUKvk7yEflL_b3EUA7dTL3A', '[]', "createdAt" FROM ${table("spaces")}`
]

export const content: Migration = {
  number: 2,
  name: "content",
  changes: [
    ...[changeRequests, contributors, revisions, blobs, secrets].map(makeTable),
    raw({ sqlite: firstRevisions, postgres: firstRevisions })
  ]
}
