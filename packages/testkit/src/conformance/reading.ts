/** `find`, `count`, `countBy` and conditions: one fixed case per requirement. */
import { RecordsAdapter, Where } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, example } from "./ConformanceTest.ts"
import { all, and, count, eq, inSelect, insert, list, not } from "./examples.ts"
import { folders, notes, people } from "./tables.ts"
import { folder, note, person } from "./values.ts"

/** In the order of code points. In that of UTF-16 units the last two change places; in that of languages, more. */
const ordered = [
  "",
  " ",
  "A",
  "B",
  "Z",
  "_",
  "a",
  "ab",
  "b",
  "e\u0301",
  "z",
  "É",
  "é",
  "\uD7FF",
  "\uFFFD",
  "\u{1F600}"
]

/** Values that come back only where a store takes every kind as a whole. */
const whole = [
  note("1", -(2 ** 53) + 1, {
    title: 'it\'s "so" \\ %_ \u{1F469}\u200d\u{1F680}',
    size: 2 ** 53 - 1,
    pinned: true
  }),
  note("1", 2 ** 53 - 1, { rank: 2 ** 31, size: -(2 ** 53) + 1, done: false, title: "" }),
  note("1", 0, { body: null, extra: { a: [1, -0.5, 1e300, true, null, "\u0000 \ud800 é"], "": {} } }),
  note("1", 1, { body: "null", extra: [] }),
  note("1", 2, { body: 0, extra: false, done: true })
]

const three = insert(
  people,
  person("1", { name: "a", email: null, balance: 1 }),
  person("2", { name: "%_\\", email: "b", balance: 2, active: false }),
  person("3", { name: "xAé\u{1F600}", email: "c", balance: 2, manager: "1" })
)

const ids = (where: Where.AnyWhere) => list(people, "id", { where })

const holdsFor = (name: string, where: Where.AnyWhere, expected: ReadonlyArray<string>): ConformanceTest =>
  example(
    name,
    Effect.gen(function* () {
      yield* three
      expect(yield* ids(where)).toEqual(expected)
      expect(yield* count(people, where)).toBe(expected.length)
      expect(yield* ids(not(where))).toEqual(["1", "2", "3"].filter((id) => !expected.includes(id)))
    })
  )

const email = "email"

/** What conditions hold for; each is checked with its negation, which holds for the other rows. */
export const conditionTests: ReadonlyArray<ConformanceTest> = [
  holdsFor("`all` holds for every row", all, ["1", "2", "3"]),
  holdsFor("`and` of nothing holds for every row", and(), ["1", "2", "3"]),
  holdsFor("`or` of nothing holds for no row", Where.none, []),
  holdsFor("`eq` holds where the column has the value, and not where it is null", eq(email, "b"), ["2"]),
  holdsFor(
    "`eq` tells upper from lower case, and text from its decomposition",
    eq("name", "xae\u0301\u{1F600}"),
    []
  ),
  holdsFor("`lt` does not hold for null", { op: "lt", column: email, value: "c" }, ["2"]),
  holdsFor("`lte` holds for the value itself", { op: "lte", column: "balance", value: 1 }, ["1"]),
  holdsFor("`gt` leaves out the value itself", { op: "gt", column: email, value: "b" }, ["3"]),
  holdsFor("`gte` of a boolean knows that false is less", { op: "gte", column: "active", value: true }, [
    "1",
    "3"
  ]),
  holdsFor("`in` holds for each of the values", { op: "in", column: email, values: ["b", "b", "x"] }, ["2"]),
  holdsFor("`in` of nothing holds for no row", { op: "in", column: "id", values: [] }, []),
  holdsFor("`contains` takes no character for a pattern", { op: "contains", column: "name", value: "%_\\" }, [
    "2"
  ]),
  holdsFor("`contains` tells upper from lower case", { op: "contains", column: "name", value: "a" }, ["1"]),
  holdsFor(
    "`contains` finds characters beyond U+FFFF",
    { op: "contains", column: "name", value: "\u{1F600}" },
    ["3"]
  ),
  holdsFor("every text that is there contains the empty text", { op: "contains", column: email, value: "" }, [
    "2",
    "3"
  ]),
  holdsFor("`isNull` holds for null", { op: "isNull", column: email }, ["1"]),
  holdsFor("`not` of a comparison with null holds", not(not(eq("manager", "1"))), ["3"]),
  holdsFor(
    "`inSelect` holds for the values that the other rows have, whatever nulls are among them",
    inSelect("id", people, "manager", all),
    ["1"]
  ),
  holdsFor(
    "`inSelect` does not hold for null, also where null is selected",
    inSelect("manager", people, "manager", all),
    ["3"]
  ),
  holdsFor(
    "`startsWith` takes the prefix as it is",
    Where.startsWith<{ name: string }, "name">("name", "%"),
    ["2"]
  )
]

/** What lists and counts are. */
export const readTests: ReadonlyArray<ConformanceTest> = [
  example(
    "values of every kind come back as they were stored",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const about = "long \u{1F600} ".repeat(20_000)
      yield* insert(folders, folder("1", { about }))
      yield* insert(notes, ...whole)
      expect(yield* list(folders, "about")).toEqual([about])
      for (const one of whole) {
        const where = eq("number", one.number)
        const rows = yield* store.find(notes, { where, orderBy: [], direction: "asc" })
        expect(rows.map((row) => ({ ...row }))).toEqual([one])
      }
    })
  ),
  example(
    "text is ordered and compared by code point",
    Effect.gen(function* () {
      yield* insert(people, ...[...ordered].reverse().map((name, index) => person(`${index}`, { name })))
      expect(yield* list(people, "name", { orderBy: ["name"] })).toEqual(ordered)
      for (const [index, value] of ordered.entries()) {
        expect(yield* count(people, { op: "lt", column: "name", value })).toBe(index)
      }
    })
  ),
  example(
    "false comes before true, and integers go by their value",
    Effect.gen(function* () {
      yield* insert(folders, folder("1"))
      const rows = [
        note("1", 10, { pinned: true }),
        note("1", 9, { pinned: true }),
        note("1", -1),
        note("1", 2 ** 53 - 1)
      ]
      yield* insert(notes, ...rows)
      expect(yield* list(notes, "number", { orderBy: ["pinned"] })).toEqual([-1, 2 ** 53 - 1, 9, 10])
    })
  ),
  example(
    "rows that share the columns of the order are in that of their key, and `desc` turns all of it around",
    Effect.gen(function* () {
      yield* three
      expect(yield* list(people, "id", { orderBy: ["balance"] })).toEqual(["1", "2", "3"])
      expect(yield* list(people, "id", { orderBy: ["balance"], direction: "desc" })).toEqual(["3", "2", "1"])
      expect(yield* list(people, "id", { orderBy: ["active", "balance"] })).toEqual(["2", "1", "3"])
    })
  ),
  example(
    "`after` goes on behind a position, whether a row is there or not",
    Effect.gen(function* () {
      yield* three
      const orderBy = ["balance"]
      expect(yield* list(people, "id", { orderBy, after: [2, "2"] })).toEqual(["3"])
      expect(yield* list(people, "id", { orderBy, after: [1, "9"] })).toEqual(["2", "3"])
      expect(yield* list(people, "id", { orderBy, after: [2, "3"], direction: "desc" })).toEqual(["2", "1"])
      expect(yield* list(people, "id", { orderBy, after: [2, "3"] })).toEqual([])
      expect(yield* list(people, "id", { orderBy, after: [0, ""], limit: 1 })).toEqual(["1"])
    })
  ),
  example(
    "a column that can be null is ordered by, where the condition leaves its nulls out",
    Effect.gen(function* () {
      yield* three
      const find = { where: not({ op: "isNull", column: "email" }), orderBy: ["email"] } as const
      expect(yield* list(people, "id", find)).toEqual(["2", "3"])
      expect(yield* list(people, "id", { ...find, direction: "desc" })).toEqual(["3", "2"])
      expect(yield* list(people, "id", { ...find, after: ["b", "2"] })).toEqual(["3"])
      expect(yield* list(people, "id", { ...find, after: ["c", "3"], direction: "desc" })).toEqual(["2"])
    })
  ),
  example(
    "`limit` is the most rows there are, and 0 gives none",
    Effect.gen(function* () {
      yield* three
      expect(yield* list(people, "id", { limit: 2 })).toEqual(["1", "2"])
      expect(yield* list(people, "id", { limit: 0 })).toEqual([])
      expect(yield* list(people, "id", { limit: 100 })).toEqual(["1", "2", "3"])
    })
  ),
  example(
    "`select` gives the columns that are asked for",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* three
      const select = ["name", "email"]
      const rows = yield* store.find(people, {
        where: eq("id", "2"),
        orderBy: ["balance"],
        direction: "asc",
        select
      })
      expect(rows.map(({ name, email }) => [name, email])).toEqual([["%_\\", "b"]])
    })
  ),
  example(
    "`countBy` counts by value, and leaves out null and values without a row",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* three
      const counts = (column: string, where: Where.AnyWhere) =>
        Effect.map(store.countBy(people, column, where), (entries) => new Map(entries))
      expect(yield* counts("balance", all)).toEqual(
        new Map([
          [1, 1],
          [2, 2]
        ])
      )
      expect(yield* counts("email", all)).toEqual(
        new Map([
          ["b", 1],
          ["c", 1]
        ])
      )
      expect(yield* counts("active", eq("balance", 2))).toEqual(
        new Map([
          [false, 1],
          [true, 1]
        ])
      )
      expect(yield* counts("name", Where.none)).toEqual(new Map())
    })
  )
]
