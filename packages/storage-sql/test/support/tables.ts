/** Tables for other tests of the stores: every kind of column, key and reference. */
import { Table } from "@lectern/core"

/** A tree: a folder goes with the one that it is in. */
export const folders = Table.make("folders", {
  columns: { id: Table.text(), parent: Table.nullable(Table.text()), name: Table.text() },
  key: ["id"],
  references: { parent: { table: (): Table.AnyTable => folders, onRemove: "cascade" } },
  indexes: [["parent", "name"]]
})

/** With a key of two columns, a unique set with a null, and a reference that holds its folder. */
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

/** All of them, each behind those that it refers to. */
export const tables: ReadonlyArray<Table.AnyTable> = [folders, files]
