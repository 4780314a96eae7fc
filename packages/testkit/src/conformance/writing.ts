/** `insert`, `update`, `remove` and `next`: one fixed case per requirement. */
import { RecordsAdapter } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, example } from "./ConformanceTest.ts"
import {
  add,
  all,
  and,
  count,
  eq,
  inSelect,
  insert,
  insertMissing,
  list,
  next,
  refuses,
  remove,
  set
} from "./examples.ts"
import { folders, notes, people, pins } from "./tables.ts"
import { folder, note, person } from "./values.ts"

const pin = (id: string, folder: string, person: string) => ({ id, folder, person })

/** What inserting is. */
export const insertTests: ReadonlyArray<ConformanceTest> = [
  example(
    "nothing is added where one of the rows is refused",
    Effect.gen(function* () {
      yield* insert(people, person("1"))
      yield* refuses(insert(people, person("2"), person("1"), person("3")), "UniqueViolation", people)
      expect(yield* list(people, "id")).toEqual(["1"])
    })
  ),
  example(
    "no two rows share their key, among those of one call neither",
    Effect.gen(function* () {
      yield* refuses(insert(people, person("1"), person("1")), "UniqueViolation", people)
      yield* insert(folders, folder("1"), folder("2"))
      yield* insert(notes, note("1", 1), note("1", 2), note("2", 1))
      yield* refuses(insert(notes, note("2", 1)), "UniqueViolation", notes)
      expect(yield* count(notes)).toBe(3)
    })
  ),
  example(
    "no two rows share the values of a unique set, among those of one call neither",
    Effect.gen(function* () {
      yield* insert(people, person("1", { email: "a" }), person("2", { email: "A" }))
      yield* refuses(insert(people, person("3", { email: "a" })), "UniqueViolation", people)
      const both = [person("3", { email: "b" }), person("4", { email: "b" })]
      yield* refuses(insert(people, ...both), "UniqueViolation", people)
      expect(yield* count(people)).toBe(2)
    })
  ),
  example(
    "rows with a null in a unique set are not compared",
    Effect.gen(function* () {
      yield* insert(people, person("1"), person("2"))
      yield* insert(folders, folder("1", { name: "a" }), folder("2", { name: "a" }))
      yield* insert(folders, folder("3", { parent: "1", name: "a" }), folder("4", { parent: "2", name: "a" }))
      yield* refuses(insert(folders, folder("5", { parent: "1", name: "a" })), "UniqueViolation", folders)
    })
  ),
  example(
    "a row refers to one that is there, or to nothing",
    Effect.gen(function* () {
      yield* insert(people, person("1"), person("2", { manager: "1" }), person("3", { manager: null }))
      yield* refuses(insert(people, person("4", { manager: "9" })), "ReferenceViolation", people)
      yield* refuses(insert(notes, note("9", 1)), "ReferenceViolation", notes)
      expect(yield* count(people)).toBe(3)
    })
  ),
  example(
    "the rows of one call may refer to each other, in any order, and to themselves",
    Effect.gen(function* () {
      yield* insert(
        people,
        person("1", { manager: "2" }),
        person("2", { manager: "1" }),
        person("3", { manager: "3" })
      )
      expect(yield* list(people, "manager")).toEqual(["2", "1", "3"])
    })
  ),
  example(
    "no rows are no change, and many are one",
    Effect.gen(function* () {
      yield* insert(people)
      yield* insert(people, ...Array.from({ length: 2_000 }, (_, index) => person(`${index}`)))
      expect(yield* count(people)).toBe(2_000)
    })
  )
]

/** What inserting is where only what is missing is wanted. */
export const insertMissingTests: ReadonlyArray<ConformanceTest> = [
  example(
    "rows whose key is taken are left out and left as they are, the others are added and counted",
    Effect.gen(function* () {
      yield* insert(people, person("1", { name: "first" }))
      const rows = [person("1", { name: "second" }), person("2"), person("3")]
      expect(yield* insertMissing(people, ...rows)).toBe(2)
      expect(yield* insertMissing(people, ...rows)).toBe(0)
      expect(yield* insertMissing(people, person("3"))).toBe(0)
      expect(yield* insertMissing(people, person("4"))).toBe(1)
      expect(yield* insertMissing(people)).toBe(0)
      expect(yield* list(people, "name", { where: eq("id", "1") })).toEqual(["first"])
      expect(yield* list(people, "id")).toEqual(["1", "2", "3", "4"])
    })
  ),
  example(
    "rows that share a unique set are left out too, and of those of one call the first is added",
    Effect.gen(function* () {
      yield* insert(people, person("1", { email: "a" }))
      const rows = [
        person("2", { email: "a" }),
        person("3", { email: "b" }),
        person("4", { email: "b" }),
        person("3", { email: "c" })
      ]
      expect(yield* insertMissing(people, ...rows)).toBe(1)
      expect(yield* list(people, "email")).toEqual(["a", "b"])
    })
  ),
  example(
    "none is added where one that would be refers to no row; one that is left out may",
    Effect.gen(function* () {
      yield* insert(people, person("1"))
      yield* refuses(
        insertMissing(people, person("2"), person("3", { manager: "9" })),
        "ReferenceViolation",
        people
      )
      expect(yield* insertMissing(people, person("1", { manager: "9" }), person("2"))).toBe(1)
      expect(yield* list(people, "id")).toEqual(["1", "2"])
    })
  ),
  example(
    "bytes come back as they were, by one row and by many",
    Effect.gen(function* () {
      yield* insert(folders, folder("1"))
      const every = Uint8Array.from({ length: 256 }, (_, index) => index)
      const images = [every, new Uint8Array(0), new Uint8Array(200_000).fill(7), null]
      for (const [number, image] of images.entries())
        yield* insertMissing(notes, note("1", number, { image }))
      yield* insert(notes, ...images.map((image, number) => note("1", number + 10, { image })))
      const stored = yield* list(notes, "image")
      expect(stored).toEqual([...images, ...images])
    })
  )
]

/** What updating and counting up are. */
export const updateTests: ReadonlyArray<ConformanceTest> = [
  example(
    "every row that the condition holds for is changed, no other one, and the answer is how many",
    Effect.gen(function* () {
      yield* insert(people, person("1", { email: "a" }), person("2"), person("3"))
      expect(yield* set(people, { op: "isNull", column: "email" }, { name: "x", active: false })).toBe(2)
      expect(yield* list(people, "name")).toEqual(["", "x", "x"])
      expect(yield* set(people, eq("id", "1"), { email: null })).toBe(1)
      expect(yield* list(people, "email")).toEqual([null, null, null])
      expect(yield* set(people, eq("id", "9"), { name: "y" })).toBe(0)
    })
  ),
  example(
    "a change that leaves a row as it was counts too, and so does none at all",
    Effect.gen(function* () {
      yield* insert(people, person("1", { email: "a" }), person("2"))
      expect(yield* set(people, all, { name: "" })).toBe(2)
      expect(yield* set(people, eq("id", "1"), { email: "a" })).toBe(1)
      expect(yield* set(people, all, {})).toBe(2)
    })
  ),
  example(
    "numbers are added to what each row has, as others are set",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* insert(people, person("1", { balance: 5 }), person("2", { balance: -5 }))
      yield* store.update(people, all, { set: { name: "x" }, add: { balance: -3 } })
      expect(yield* list(people, "balance")).toEqual([2, -8])
      expect(yield* list(people, "name")).toEqual(["x", "x"])
    })
  ),
  example(
    "where nothing is, nothing comes of adding to it",
    Effect.gen(function* () {
      yield* insert(folders, folder("1"))
      yield* insert(notes, note("1", 1), note("1", 2, { score: 0 }))
      expect(yield* add(notes, all, { score: 5 })).toBe(2)
      expect(yield* list(notes, "score")).toEqual([null, 5])
    })
  ),
  example(
    "nothing is changed where one of the rows would share a unique set",
    Effect.gen(function* () {
      yield* insert(people, person("1", { email: "a" }), person("2"), person("3"))
      yield* refuses(set(people, eq("id", "2"), { email: "a" }), "UniqueViolation", people)
      yield* refuses(set(people, eq("active", true), { email: "b" }), "UniqueViolation", people)
      expect(yield* list(people, "email")).toEqual(["a", null, null])
    })
  ),
  example(
    "a row may not be made to refer to nothing that is there",
    Effect.gen(function* () {
      yield* insert(people, person("1"), person("2"))
      yield* refuses(set(people, eq("id", "2"), { manager: "9" }), "ReferenceViolation", people)
      expect(yield* set(people, all, { manager: "1" })).toBe(2)
    })
  ),
  example(
    "a condition is about the rows as they were before",
    Effect.gen(function* () {
      yield* insert(people, person("1", { manager: "1" }), person("2"))
      const isManager = inSelect("id", people, "manager", all)
      expect(yield* set(people, isManager, { manager: null })).toBe(1)
      expect(yield* add(people, { op: "gte", column: "balance", value: 0 }, { balance: 1 })).toBe(2)
    })
  ),
  example(
    "`next` adds one and answers the new value, and nothing where there is no such row",
    Effect.gen(function* () {
      yield* insert(folders, folder("1", { counter: -1 }))
      yield* insert(notes, note("1", 7, { weight: 41 }))
      expect(yield* next(folders, { id: "1" }, "counter")).toBe(0)
      expect(yield* next(folders, { id: "1" }, "counter")).toBe(1)
      expect(yield* next(notes, { folder: "1", number: 7 }, "weight")).toBe(42)
      expect(yield* next(notes, { folder: "1", number: 8 }, "weight")).toBe(undefined)
      expect(yield* next(notes, { folder: "1", number: 7, weight: 41 }, "weight")).toBe(undefined)
      expect(yield* list(folders, "counter")).toEqual([1])
    })
  )
]

const tree = Effect.gen(function* () {
  yield* insert(people, person("a"), person("b"))
  yield* insert(folders, folder("1"), folder("2", { parent: "1" }), folder("3", { parent: "2" }), folder("4"))
  yield* insert(
    notes,
    note("3", 1, { author: "a", editor: "b" }),
    note("4", 1),
    note("4", 2, { editor: "a" })
  )
})

/** What removing is. */
export const removeTests: ReadonlyArray<ConformanceTest> = [
  example(
    "every row that the condition holds for goes, no other one, and the answer is how many",
    Effect.gen(function* () {
      yield* insert(people, person("1", { active: false }), person("2"), person("3", { active: false }))
      expect(yield* remove(people, eq("active", false))).toBe(2)
      expect(yield* list(people, "id")).toEqual(["2"])
      expect(yield* remove(people, eq("active", false))).toBe(0)
    })
  ),
  example(
    "rows that refer to it and cascade go along, at any depth, and are not counted",
    Effect.gen(function* () {
      yield* tree
      expect(yield* remove(folders, eq("id", "1"))).toBe(1)
      expect(yield* list(folders, "id")).toEqual(["4"])
      expect(yield* count(notes)).toBe(2)
    })
  ),
  example(
    "what the condition finds is counted, also where it would have gone along",
    Effect.gen(function* () {
      yield* tree
      expect(yield* remove(folders, all)).toBe(4)
      expect(yield* count(notes)).toBe(0)
    })
  ),
  example(
    "rows that refer to each other, or to themselves, go together",
    Effect.gen(function* () {
      yield* insert(
        people,
        person("1", { manager: "2" }),
        person("2", { manager: "1" }),
        person("3", { manager: "3" })
      )
      expect(yield* remove(people, all)).toBe(3)
      yield* insert(folders, folder("1", { parent: "2" }), folder("2", { parent: "1" }))
      expect(yield* remove(folders, eq("id", "1"))).toBe(1)
      expect(yield* count(folders)).toBe(0)
    })
  ),
  example(
    "nothing goes where a row that is left refers to one of them and does not cascade",
    Effect.gen(function* () {
      yield* tree
      yield* refuses(remove(people, eq("id", "a")), "ReferenceViolation", people)
      yield* insert(people, person("c", { manager: "b" }))
      yield* refuses(remove(people, eq("id", "b")), "ReferenceViolation", people)
      expect(yield* count(people)).toBe(3)
      expect(yield* count(notes)).toBe(3)
    })
  ),
  example(
    "a row far down in what would go along keeps all of it",
    Effect.gen(function* () {
      yield* tree
      yield* insert(pins, pin("p", "3", "a"))
      yield* refuses(remove(folders, eq("id", "1")), "ReferenceViolation", folders)
      expect(yield* count(folders)).toBe(4)
      expect(yield* remove(pins, eq("id", "p"))).toBe(1)
      expect(yield* remove(folders, eq("id", "1"))).toBe(1)
    })
  ),
  example(
    "a row that goes along by one reference does not keep what it refers to by another",
    Effect.gen(function* () {
      yield* insert(people, person("a"))
      yield* insert(folders, folder("1"))
      yield* insert(notes, note("1", 1, { author: "a", editor: "a" }))
      expect(yield* remove(people, and(eq("id", "a"), eq("active", true)))).toBe(1)
      expect(yield* count(notes)).toBe(0)
    })
  )
]
