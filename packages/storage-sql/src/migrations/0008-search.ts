/** Creates the search index of pages and the cache of outlines. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { spaces } from "./0001-foundation.ts"
import { blobs } from "./0002-content.ts"

const { integer, json, text } = Table

const searchPages = Table.make("searchPages", {
  columns: {
    space: text(),
    page: text(),
    part: integer(),
    name: text(),
    path: text(),
    title: text(),
    body: text(),
    forms: text(),
    passages: json()
  },
  key: ["space", "page", "part"],
  references: { space: { table: () => spaces, onRemove: "cascade" } },
  fullText: { scope: "space", item: "page", title: "title", body: "body", forms: "forms" }
})

const outlines = Table.make("outlines", {
  columns: { hash: text(), outline: json() },
  key: ["hash"],
  references: { hash: { table: () => blobs, onRemove: "cascade" } }
})

export const search: Migration = {
  number: 8,
  name: "search",
  changes: [searchPages, outlines].map(createTable),
  makesStale: ["searchIndex"]
}
