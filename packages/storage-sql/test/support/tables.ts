/** Tables for tests of stores: every kind of column, key and reference. */
import { Table } from "@lectern/core"

export const folders = Table.make("folders", {
  columns: { id: Table.text(), parent: Table.nullable(Table.text()), name: Table.text() },
  key: ["id"],
  references: { parent: { table: (): Table.AnyTable => folders, onRemove: "cascade" } },
  indexes: [["parent", "name"]]
})

export const files = Table.make("files", {
  columns: {
    folder: Table.text(),
    name: Table.text(),
    size: Table.integer(),
    starred: Table.boolean(),
    kind: Table.nullable(Table.text()),
    checked: Table.nullable(Table.boolean()),
    rank: Table.nullable(Table.integer()),
    content: Table.json<unknown>(),
    extra: Table.nullable(Table.json<unknown>())
  },
  key: ["folder", "name"],
  unique: [["kind", "name"]],
  references: { folder: { table: (): Table.AnyTable => folders, onRemove: "restrict" } },
  indexes: [["folder", "size"], ["starred"]]
})

/** Each behind those that it refers to. */
export const tables: ReadonlyArray<Table.AnyTable> = [folders, files]
