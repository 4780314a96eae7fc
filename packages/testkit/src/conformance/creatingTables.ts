/** `createTables`: one fixed case per requirement. */
import { RecordsAdapter, Table } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest } from "./ConformanceTest.ts"
import { countRows, eq, expectViolation, insertRows, listColumn, removeRows } from "./examples.ts"
import { folders } from "./tables.ts"
import { makeFolder } from "./values.ts"

const tagColumns = { id: Table.text(), folder: Table.text(), name: Table.text() }

/** A table that stores are not opened with. It is deleted with its folders, as the other tables are between tests. */
const tags = Table.make("conformanceTags", {
  columns: tagColumns,
  key: ["id"],
  unique: [["folder", "name"]],
  references: { folder: { table: () => folders, onRemove: "cascade" } },
  indexes: [["name"]]
})

/** The same table, with a further column. */
const coloredTags = Table.make("conformanceTags", {
  columns: { ...tagColumns, color: Table.text() },
  key: ["id"],
  unique: [["folder", "name"]],
  references: { folder: { table: () => folders, onRemove: "cascade" } },
  indexes: [["name"]]
})

/** A table, and the same table with further columns and an index. */
const shades = Table.make("conformanceShades", { columns: { id: Table.text() }, key: ["id"] })
const coloredShades = Table.make("conformanceShades", {
  columns: { id: Table.text(), color: Table.text(), note: Table.nullable(Table.text()) },
  key: ["id"],
  indexes: [["color"]],
  backfill: { color: "gray", note: null }
})

/** Two tables, the second of which references the first. */
const shelves = Table.make("conformanceShelves", { columns: { id: Table.text() }, key: ["id"] })
const books = Table.make("conformanceBooks", {
  columns: { id: Table.text(), shelf: Table.text() },
  key: ["id"],
  references: { shelf: { table: () => shelves, onRemove: "cascade" } }
})

const createTables = (...tables: ReadonlyArray<Table.AnyTable>) =>
  Effect.flatMap(RecordsAdapter, (store) => store.createTables(tables))

const makeTag = (id: string, name: string) => ({ id, folder: "1", name })

/** Conformance tests of `createTables`. */
export const createTablesTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "creates a table with its key, unique sets and references",
    Effect.gen(function* () {
      yield* createTables(tags)
      yield* insertRows(folders, makeFolder("1"))
      yield* insertRows(tags, makeTag("1", "new"))
      yield* expectViolation(insertRows(tags, makeTag("1", "old")), "UniqueViolation", tags)
      yield* expectViolation(insertRows(tags, makeTag("2", "new")), "UniqueViolation", tags)
      yield* expectViolation(
        insertRows(tags, { ...makeTag("2", "old"), folder: "none" }),
        "ReferenceViolation",
        tags
      )
      yield* removeRows(folders, eq("id", "1"))
      expect(yield* countRows(tags)).toBe(0)
    })
  ),
  exampleTest(
    "leaves a table that exists as it is, with its rows",
    Effect.gen(function* () {
      yield* createTables(tags)
      yield* insertRows(folders, makeFolder("1"))
      yield* insertRows(tags, makeTag("1", "new"))
      yield* createTables(tags)
      expect(yield* listColumn(tags, "name")).toEqual(["new"])
    })
  ),
  exampleTest(
    "fails with TableMismatch for a table that differs from its declaration",
    Effect.gen(function* () {
      yield* createTables(tags)
      yield* insertRows(folders, makeFolder("1"))
      yield* insertRows(tags, makeTag("1", "new"))
      const error = yield* Effect.flip(createTables(coloredTags))
      expect(error._tag).toBe("TableMismatch")
      expect(error.message).toContain("conformanceTags")
      expect(yield* listColumn(tags, "name")).toEqual(["new"])
    })
  ),
  exampleTest(
    "adds the columns that a table lacks and that have values for its rows, and its indexes",
    Effect.gen(function* () {
      yield* createTables(shades)
      yield* insertRows(shades, { id: "1" })
      yield* createTables(coloredShades)
      expect(yield* listColumn(coloredShades, "color")).toEqual(["gray"])
      yield* insertRows(coloredShades, { id: "2", color: "red", note: "new" })
      // The former declaration misses a column now, which is not removed.
      expect((yield* Effect.flip(createTables(shades)))._tag).toBe("TableMismatch")
      yield* createTables(coloredShades)
      expect(yield* listColumn(coloredShades, "note")).toEqual([null, "new"])
    })
  ),
  exampleTest(
    "accepts concurrent calls for the same tables",
    Effect.gen(function* () {
      const creations = Array.from({ length: 4 }, () => createTables(shelves, books))
      yield* Effect.all(creations, { concurrency: "unbounded" })
      yield* expectViolation(insertRows(books, { id: "1", shelf: "none" }), "ReferenceViolation", books)
    })
  )
]
