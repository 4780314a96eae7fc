/** Adds reviews, merge rules, descriptions of change requests and archived pages. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { addColumn, addIndex, createTable } from "../SchemaChange.ts"
import { spaces, users } from "./0001-foundation.ts"
import { changeRequests } from "./0002-content.ts"

const { boolean, json, nullable, text } = Table

const changeRequestReviews = Table.make("changeRequestReviews", {
  columns: {
    id: text(),
    changeRequest: text(),
    revision: text(),
    reviewer: text(),
    requestedBy: nullable(text()),
    status: text(),
    outdated: boolean(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["id"],
  references: {
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    reviewer: { table: () => users, onRemove: "restrict" }
  },
  indexes: [["changeRequest", "id"], ["reviewer"]]
})

const requestedReviewers = Table.make("requestedReviewers", {
  columns: {
    changeRequest: text(),
    user: text(),
    revision: text(),
    requestedBy: text(),
    createdAt: text()
  },
  key: ["changeRequest", "user"],
  references: {
    changeRequest: { table: () => changeRequests, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" }
  },
  indexes: [["user"]]
})

const archivedPages = Table.make("archivedPages", {
  columns: {
    space: text(),
    page: text(),
    type: text(),
    title: text(),
    revision: text(),
    archivedAt: text()
  },
  key: ["space", "page"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  indexes: [["space", "archivedAt"]]
})

export const reviewsMigration: Migration = {
  number: 18,
  name: "reviews",
  changes: [
    addColumn("organizations", "mergeRules", nullable(json())),
    addColumn("spaces", "mergeRules", nullable(json())),
    addColumn("changeRequests", "description", nullable(json())),
    addColumn("changeRequests", "mergeRules", nullable(json())),
    addColumn("comments", "review", nullable(text())),
    addIndex("comments", ["review", "id"]),
    createTable(changeRequestReviews),
    createTable(requestedReviewers),
    createTable(archivedPages)
  ]
}
