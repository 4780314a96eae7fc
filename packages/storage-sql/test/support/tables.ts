/** Tables for tests of stores that are not conformance tests, with every kind of column, key and reference. */
import { Table } from "@lectern/core"

/** A tree of folders: the removal of a folder cascades to its subfolders. */
export const folders = Table.make("folders", {
  columns: { id: Table.text(), parent: Table.nullable(Table.text()), name: Table.text() },
  key: ["id"],
  references: { parent: { table: (): Table.AnyTable => folders, onRemove: "cascade" } },
  indexes: [["parent", "name"]]
})

/**
 * Files with a composite key, a unique set with a nullable column, and a reference that restricts removal of the
 * folder.
 */
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

/** All tables, in an order in which they can be created. */
export const tables: ReadonlyArray<Table.AnyTable> = [folders, files]
