/**
 * The tables of the conformance tests: every kind of column, key, unique constraint and reference. The prefix of their
 * names lets them share a database with other tables.
 */
import { Table } from "@lectern/core"

/** Has a self-reference that restricts removal, and a balance for transfers. */
export const people = Table.make("conformancePeople", {
  columns: {
    id: Table.text(),
    name: Table.text(),
    email: Table.nullable(Table.text()),
    manager: Table.nullable(Table.text()),
    active: Table.boolean(),
    balance: Table.integer()
  },
  key: ["id"],
  unique: [["email"]],
  references: { manager: { table: (): Table.AnyTable => people, onRemove: "restrict" } },
  indexes: [["name"], ["active", "balance"]]
})

/** A tree: removal cascades to children, and names are unique within a parent. */
export const folders = Table.make("conformanceFolders", {
  columns: {
    id: Table.text(),
    parent: Table.nullable(Table.text()),
    name: Table.text(),
    about: Table.text(),
    counter: Table.integer()
  },
  key: ["id"],
  unique: [["parent", "name"]],
  references: { parent: { table: (): Table.AnyTable => folders, onRemove: "cascade" } },
  indexes: [["parent", "counter"]]
})

/** Has a composite key, references that cascade (folder, editor) and one that restricts removal (author). */
export const notes = Table.make("conformanceNotes", {
  columns: {
    folder: Table.text(),
    number: Table.integer(),
    title: Table.text(),
    pinned: Table.boolean(),
    done: Table.nullable(Table.boolean()),
    rank: Table.nullable(Table.integer()),
    size: Table.integer(),
    weight: Table.integer(),
    score: Table.nullable(Table.integer()),
    author: Table.nullable(Table.text()),
    editor: Table.nullable(Table.text()),
    body: Table.json<unknown>(),
    extra: Table.nullable(Table.json<unknown>()),
    image: Table.nullable(Table.bytes())
  },
  key: ["folder", "number"],
  unique: [["title", "rank"]],
  references: {
    folder: { table: (): Table.AnyTable => folders, onRemove: "cascade" },
    author: { table: (): Table.AnyTable => people, onRemove: "restrict" },
    editor: { table: (): Table.AnyTable => people, onRemove: "cascade" }
  },
  indexes: [["folder", "pinned", "weight"], ["title"], ["size"]]
})

/** Restricts the removal of its folder, and thereby of every ancestor of the folder. */
export const pins = Table.make("conformancePins", {
  columns: { id: Table.text(), folder: Table.text(), person: Table.text() },
  key: ["id"],
  unique: [["folder", "person"]],
  references: {
    folder: { table: (): Table.AnyTable => folders, onRemove: "restrict" },
    person: { table: (): Table.AnyTable => people, onRemove: "cascade" }
  }
})

/** Has a full-text index, scoped by folder. Folders belong to tenants. */
export const pages = Table.make("conformancePages", {
  columns: {
    folder: Table.text(),
    tenant: Table.text(),
    page: Table.text(),
    part: Table.integer(),
    title: Table.text(),
    headings: Table.text(),
    body: Table.text(),
    forms: Table.text(),
    audience: Table.text()
  },
  key: ["folder", "tenant", "page", "part"],
  references: { folder: { table: (): Table.AnyTable => folders, onRemove: "cascade" } },
  fullText: {
    scope: "folder",
    tenant: "tenant",
    item: "page",
    title: "title",
    headings: "headings",
    body: "body",
    forms: "forms",
    audience: "audience"
  }
})

/** Is covered by the lock on its room. */
export const items = Table.make("conformanceItems", {
  columns: { id: Table.text(), room: Table.text(), balance: Table.integer() },
  key: ["id"],
  indexes: [["room"]],
  locking: { writes: ["room"], reads: "locked" }
})

/** Is covered by the lock on a permit. */
export const permits = Table.make("conformancePermits", {
  columns: { person: Table.text(), allowed: Table.boolean() },
  key: ["person"],
  locking: { writes: ["permit"], reads: "locked" }
})

/** Has a key that the store generates, and no locks. */
export const entries = Table.make("conformanceEntries", {
  columns: { position: Table.generated(), writer: Table.text(), number: Table.integer() },
  key: ["position"],
  locking: Table.withoutLocks
})

/** The tables of generated steps. `pages` is left to the search tests. */
export const modelledTables: ReadonlyArray<Table.AnyTable> = [people, folders, notes, pins]

/** All tables of the conformance tests, each after the tables that it references. */
export const conformanceTables: ReadonlyArray<Table.AnyTable> = [
  ...modelledTables,
  pages,
  items,
  permits,
  entries
]
