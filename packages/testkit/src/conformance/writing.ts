/** `insert`, `update`, `remove` and `next`: one fixed case per requirement. */
import { RecordsAdapter } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest } from "./ConformanceTest.ts"
import {
  addToColumns,
  and,
  countRows,
  eq,
  everyRow,
  expectViolation,
  inSelect,
  insertMissingRows,
  insertRows,
  listColumn,
  nextNumber,
  removeRows,
  setColumns
} from "./examples.ts"
import { folders, notes, people, pins } from "./tables.ts"
import { makeFolder, makeNote, makePerson } from "./values.ts"

const makePin = (id: string, folder: string, person: string) => ({ id, folder, person })

/** Conformance tests of `insert`. */
export const insertTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "no row is inserted if one violates a constraint",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1"))
      yield* expectViolation(
        insertRows(people, makePerson("2"), makePerson("1"), makePerson("3")),
        "UniqueViolation",
        people
      )
      expect(yield* listColumn(people, "id")).toEqual(["1"])
    })
  ),
  exampleTest(
    "keys are unique, also among the rows of one call",
    Effect.gen(function* () {
      yield* expectViolation(insertRows(people, makePerson("1"), makePerson("1")), "UniqueViolation", people)
      yield* insertRows(folders, makeFolder("1"), makeFolder("2"))
      yield* insertRows(notes, makeNote("1", 1), makeNote("1", 2), makeNote("2", 1))
      yield* expectViolation(insertRows(notes, makeNote("2", 1)), "UniqueViolation", notes)
      expect(yield* countRows(notes)).toBe(3)
    })
  ),
  exampleTest(
    "unique constraints hold, also among the rows of one call",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1", { email: "a" }), makePerson("2", { email: "A" }))
      yield* expectViolation(insertRows(people, makePerson("3", { email: "a" })), "UniqueViolation", people)
      const both = [makePerson("3", { email: "b" }), makePerson("4", { email: "b" })]
      yield* expectViolation(insertRows(people, ...both), "UniqueViolation", people)
      expect(yield* countRows(people)).toBe(2)
    })
  ),
  exampleTest(
    "a unique constraint does not apply to rows with a null in it",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1"), makePerson("2"))
      yield* insertRows(folders, makeFolder("1", { name: "a" }), makeFolder("2", { name: "a" }))
      yield* insertRows(
        folders,
        makeFolder("3", { parent: "1", name: "a" }),
        makeFolder("4", { parent: "2", name: "a" })
      )
      yield* expectViolation(
        insertRows(folders, makeFolder("5", { parent: "1", name: "a" })),
        "UniqueViolation",
        folders
      )
    })
  ),
  exampleTest(
    "a reference must be null or the key of an existing row",
    Effect.gen(function* () {
      yield* insertRows(
        people,
        makePerson("1"),
        makePerson("2", { manager: "1" }),
        makePerson("3", { manager: null })
      )
      yield* expectViolation(
        insertRows(people, makePerson("4", { manager: "9" })),
        "ReferenceViolation",
        people
      )
      yield* expectViolation(insertRows(notes, makeNote("9", 1)), "ReferenceViolation", notes)
      expect(yield* countRows(people)).toBe(3)
    })
  ),
  exampleTest(
    "the rows of one call may reference each other, in any order, and themselves",
    Effect.gen(function* () {
      yield* insertRows(
        people,
        makePerson("1", { manager: "2" }),
        makePerson("2", { manager: "1" }),
        makePerson("3", { manager: "3" })
      )
      expect(yield* listColumn(people, "manager")).toEqual(["2", "1", "3"])
    })
  ),
  exampleTest(
    "one call inserts no rows, or 2,000 rows",
    Effect.gen(function* () {
      yield* insertRows(people)
      yield* insertRows(people, ...Array.from({ length: 2_000 }, (_, index) => makePerson(`${index}`)))
      expect(yield* countRows(people)).toBe(2_000)
    })
  )
]

/** Conformance tests of `insertMissing`. */
export const insertMissingTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "existing rows are skipped and stay unchanged; the others are inserted and counted",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1", { name: "first" }))
      const rows = [makePerson("1", { name: "second" }), makePerson("2"), makePerson("3")]
      expect(yield* insertMissingRows(people, ...rows)).toBe(2)
      expect(yield* insertMissingRows(people, ...rows)).toBe(0)
      expect(yield* insertMissingRows(people, makePerson("3"))).toBe(0)
      expect(yield* insertMissingRows(people, makePerson("4"))).toBe(1)
      expect(yield* insertMissingRows(people)).toBe(0)
      expect(yield* listColumn(people, "name", { where: eq("id", "1") })).toEqual(["first"])
      expect(yield* listColumn(people, "id")).toEqual(["1", "2", "3", "4"])
    })
  ),
  exampleTest(
    "rows that violate a unique constraint are skipped; within one call, the first one is inserted",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1", { email: "a" }))
      const rows = [
        makePerson("2", { email: "a" }),
        makePerson("3", { email: "b" }),
        makePerson("4", { email: "b" }),
        makePerson("3", { email: "c" })
      ]
      expect(yield* insertMissingRows(people, ...rows)).toBe(1)
      expect(yield* listColumn(people, "email")).toEqual(["a", "b"])
    })
  ),
  exampleTest(
    "no row is inserted if one has a dangling reference, unless that one is skipped",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1"))
      yield* expectViolation(
        insertMissingRows(people, makePerson("2"), makePerson("3", { manager: "9" })),
        "ReferenceViolation",
        people
      )
      expect(yield* insertMissingRows(people, makePerson("1", { manager: "9" }), makePerson("2"))).toBe(1)
      expect(yield* listColumn(people, "id")).toEqual(["1", "2"])
    })
  ),
  exampleTest(
    "bytes are returned as they were stored, from one row and from many",
    Effect.gen(function* () {
      yield* insertRows(folders, makeFolder("1"))
      const every = Uint8Array.from({ length: 256 }, (_, index) => index)
      const images = [every, new Uint8Array(0), new Uint8Array(200_000).fill(7), null]
      for (const [number, image] of images.entries())
        yield* insertMissingRows(notes, makeNote("1", number, { image }))
      yield* insertRows(notes, ...images.map((image, number) => makeNote("1", number + 10, { image })))
      const stored = yield* listColumn(notes, "image")
      expect(stored).toEqual([...images, ...images])
    })
  )
]

/** Conformance tests of `update` and `next`. */
export const updateTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "exactly the matching rows are updated, and their number is returned",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1", { email: "a" }), makePerson("2"), makePerson("3"))
      expect(yield* setColumns(people, { op: "isNull", column: "email" }, { name: "x", active: false })).toBe(
        2
      )
      expect(yield* listColumn(people, "name")).toEqual(["", "x", "x"])
      expect(yield* setColumns(people, eq("id", "1"), { email: null })).toBe(1)
      expect(yield* listColumn(people, "email")).toEqual([null, null, null])
      expect(yield* setColumns(people, eq("id", "9"), { name: "y" })).toBe(0)
    })
  ),
  exampleTest(
    "rows are counted even if the update does not change them, or sets nothing",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1", { email: "a" }), makePerson("2"))
      expect(yield* setColumns(people, everyRow, { name: "" })).toBe(2)
      expect(yield* setColumns(people, eq("id", "1"), { email: "a" })).toBe(1)
      expect(yield* setColumns(people, everyRow, {})).toBe(2)
    })
  ),
  exampleTest(
    "one update sets some columns and adds to others",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* insertRows(people, makePerson("1", { balance: 5 }), makePerson("2", { balance: -5 }))
      yield* store.update(people, everyRow, { set: { name: "x" }, add: { balance: -3 } })
      expect(yield* listColumn(people, "balance")).toEqual([2, -8])
      expect(yield* listColumn(people, "name")).toEqual(["x", "x"])
    })
  ),
  exampleTest(
    "adding to null leaves null",
    Effect.gen(function* () {
      yield* insertRows(folders, makeFolder("1"))
      yield* insertRows(notes, makeNote("1", 1), makeNote("1", 2, { score: 0 }))
      expect(yield* addToColumns(notes, everyRow, { score: 5 })).toBe(2)
      expect(yield* listColumn(notes, "score")).toEqual([null, 5])
    })
  ),
  exampleTest(
    "no row is updated if one would violate a unique constraint",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1", { email: "a" }), makePerson("2"), makePerson("3"))
      yield* expectViolation(setColumns(people, eq("id", "2"), { email: "a" }), "UniqueViolation", people)
      yield* expectViolation(
        setColumns(people, eq("active", true), { email: "b" }),
        "UniqueViolation",
        people
      )
      expect(yield* listColumn(people, "email")).toEqual(["a", null, null])
    })
  ),
  exampleTest(
    "an update must not leave a dangling reference",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1"), makePerson("2"))
      yield* expectViolation(
        setColumns(people, eq("id", "2"), { manager: "9" }),
        "ReferenceViolation",
        people
      )
      expect(yield* setColumns(people, everyRow, { manager: "1" })).toBe(2)
    })
  ),
  exampleTest(
    "the condition is evaluated on the rows before the update",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1", { manager: "1" }), makePerson("2"))
      const isManager = inSelect("id", people, "manager", everyRow)
      expect(yield* setColumns(people, isManager, { manager: null })).toBe(1)
      expect(yield* addToColumns(people, { op: "gte", column: "balance", value: 0 }, { balance: 1 })).toBe(2)
    })
  ),
  exampleTest(
    "`next` increments a column and returns the new value, or undefined if there is no such row",
    Effect.gen(function* () {
      yield* insertRows(folders, makeFolder("1", { counter: -1 }))
      yield* insertRows(notes, makeNote("1", 7, { weight: 41 }))
      expect(yield* nextNumber(folders, { id: "1" }, "counter")).toBe(0)
      expect(yield* nextNumber(folders, { id: "1" }, "counter")).toBe(1)
      expect(yield* nextNumber(notes, { folder: "1", number: 7 }, "weight")).toBe(42)
      expect(yield* nextNumber(notes, { folder: "1", number: 8 }, "weight")).toBe(undefined)
      expect(yield* nextNumber(notes, { folder: "1", number: 7, weight: 41 }, "weight")).toBe(undefined)
      expect(yield* listColumn(folders, "counter")).toEqual([1])
    })
  )
]

const insertTree = Effect.gen(function* () {
  yield* insertRows(people, makePerson("a"), makePerson("b"))
  yield* insertRows(
    folders,
    makeFolder("1"),
    makeFolder("2", { parent: "1" }),
    makeFolder("3", { parent: "2" }),
    makeFolder("4")
  )
  yield* insertRows(
    notes,
    makeNote("3", 1, { author: "a", editor: "b" }),
    makeNote("4", 1),
    makeNote("4", 2, { editor: "a" })
  )
})

/** Conformance tests of `remove`. */
export const removeTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "exactly the matching rows are removed, and their number is returned",
    Effect.gen(function* () {
      yield* insertRows(
        people,
        makePerson("1", { active: false }),
        makePerson("2"),
        makePerson("3", { active: false })
      )
      expect(yield* removeRows(people, eq("active", false))).toBe(2)
      expect(yield* listColumn(people, "id")).toEqual(["2"])
      expect(yield* removeRows(people, eq("active", false))).toBe(0)
    })
  ),
  exampleTest(
    "removal cascades to referencing rows at any depth, which are not counted",
    Effect.gen(function* () {
      yield* insertTree
      expect(yield* removeRows(folders, eq("id", "1"))).toBe(1)
      expect(yield* listColumn(folders, "id")).toEqual(["4"])
      expect(yield* countRows(notes)).toBe(2)
    })
  ),
  exampleTest(
    "matching rows are counted even if the removal would have cascaded to them",
    Effect.gen(function* () {
      yield* insertTree
      expect(yield* removeRows(folders, everyRow)).toBe(4)
      expect(yield* countRows(notes)).toBe(0)
    })
  ),
  exampleTest(
    "rows that reference each other, or themselves, can be removed",
    Effect.gen(function* () {
      yield* insertRows(
        people,
        makePerson("1", { manager: "2" }),
        makePerson("2", { manager: "1" }),
        makePerson("3", { manager: "3" })
      )
      expect(yield* removeRows(people, everyRow)).toBe(3)
      yield* insertRows(folders, makeFolder("1", { parent: "2" }), makeFolder("2", { parent: "1" }))
      expect(yield* removeRows(folders, eq("id", "1"))).toBe(1)
      expect(yield* countRows(folders)).toBe(0)
    })
  ),
  exampleTest(
    "no row is removed if a remaining row references one of them and restricts removal",
    Effect.gen(function* () {
      yield* insertTree
      yield* expectViolation(removeRows(people, eq("id", "a")), "ReferenceViolation", people)
      yield* insertRows(people, makePerson("c", { manager: "b" }))
      yield* expectViolation(removeRows(people, eq("id", "b")), "ReferenceViolation", people)
      expect(yield* countRows(people)).toBe(3)
      expect(yield* countRows(notes)).toBe(3)
    })
  ),
  exampleTest(
    "a row that restricts removal at any depth of a cascade prevents the removal",
    Effect.gen(function* () {
      yield* insertTree
      yield* insertRows(pins, makePin("p", "3", "a"))
      yield* expectViolation(removeRows(folders, eq("id", "1")), "ReferenceViolation", folders)
      expect(yield* countRows(folders)).toBe(4)
      expect(yield* removeRows(pins, eq("id", "p"))).toBe(1)
      expect(yield* removeRows(folders, eq("id", "1"))).toBe(1)
    })
  ),
  exampleTest(
    "a row that is removed by one cascading reference does not restrict removal by another",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("a"))
      yield* insertRows(folders, makeFolder("1"))
      yield* insertRows(notes, makeNote("1", 1, { author: "a", editor: "a" }))
      expect(yield* removeRows(people, and(eq("id", "a"), eq("active", true)))).toBe(1)
      expect(yield* countRows(notes)).toBe(0)
    })
  )
]
