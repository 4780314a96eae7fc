/**
 * Creates the tables of the search index again, with the organization in their keys and with words that belong to a space. Jobs
 * index all pages again. Servers of the previous version search the former tables until they are replaced, which a later
 * version removes. Released: do not change.
 */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { spaces } from "./0001-foundation.ts"

const { integer, json, text } = Table

const searchParts = Table.make("searchParts", {
  columns: {
    space: text(),
    organization: text(),
    page: text(),
    part: integer(),
    audience: text(),
    source: text(),
    name: text(),
    nameWords: text(),
    path: text(),
    presentation: json(),
    title: text(),
    headings: text(),
    body: text(),
    kinds: text(),
    forms: text(),
    passages: json()
  },
  key: ["space", "organization", "page", "part"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  indexes: [["space", "nameWords"]],
  fullText: {
    scope: "space",
    tenant: "organization",
    item: "page",
    title: "title",
    headings: "headings",
    body: "body",
    forms: "forms",
    audience: "audience"
  }
})

const searchVocabulary = Table.make("searchVocabulary", {
  columns: { space: text(), organization: text(), bucket: text(), words: text() },
  key: ["space", "organization", "bucket"],
  references: { space: { table: () => spaces, onRemove: "cascade" } }
})

const searchAudiences = Table.make("searchAudiences", {
  columns: { space: text(), organization: text(), audience: text(), conditions: json() },
  key: ["space", "organization", "audience"],
  references: { space: { table: () => spaces, onRemove: "cascade" } }
})

export const searchBySpaceMigration: Migration = {
  number: 27,
  name: "search by space",
  changes: [createTable(searchParts), createTable(searchVocabulary), createTable(searchAudiences)],
  retires: ["searchPages", "searchWords", "searchConditions"],
  makesStale: ["searchIndex"]
}
