/** Adds the favorites and recent pages of users. Released: do not change. */
import { Table } from "@lectern/core"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { organizations, spaces, users } from "./0001-foundation.ts"

const { text } = Table

const places = Table.make("places", {
  columns: { organization: text(), user: text(), kind: text(), space: text(), page: text(), at: text() },
  key: ["organization", "user", "kind", "space", "page"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    user: { table: () => users, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" }
  },
  indexes: [["organization", "user", "kind", "at"], ["user"], ["space"]]
})

/** Its number is greater than the numbers of earlier migrations. */
export const placesMigration: Migration = { number: 32, name: "places", changes: [createTable(places)] }
