/** `find`, `count`, `countBy` and conditions: one fixed case per requirement. */
import { RecordsAdapter, Where } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest } from "./ConformanceTest.ts"
import { and, countRows, eq, everyRow, inSelect, insertRows, listColumn, not } from "./examples.ts"
import { folders, notes, people } from "./tables.ts"
import { makeFolder, makeNote, makePerson } from "./values.ts"

/** Text in code point order. Ordering by UTF-16 units swaps the last two; language collations differ more. */
const inCodePointOrder = [
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

/** Rows with extreme values of every kind: limits of integers, all kinds of JSON, emoji. */
const extremeNotes = [
  makeNote("1", -(2 ** 53) + 1, {
    title: 'it\'s "so" \\ %_ \u{1F469}\u200d\u{1F680}',
    size: 2 ** 53 - 1,
    pinned: true
  }),
  makeNote("1", 2 ** 53 - 1, { rank: 2 ** 31, size: -(2 ** 53) + 1, done: false, title: "" }),
  makeNote("1", 0, { body: null, extra: { a: [1, -0.5, 1e300, true, null, "\u0000 \ud800 é"], "": {} } }),
  makeNote("1", 1, { body: "null", extra: [] }),
  makeNote("1", 2, { body: 0, extra: false, done: true })
]

const insertThreePeople = insertRows(
  people,
  makePerson("1", { name: "a", email: null, balance: 1 }),
  makePerson("2", { name: "%_\\", email: "b", balance: 2, active: false }),
  makePerson("3", { name: "xAé\u{1F600}", email: "c", balance: 2, manager: "1" })
)

const idsWhere = (where: Where.AnyWhere) => listColumn(people, "id", { where })

const matchesExactly = (
  name: string,
  where: Where.AnyWhere,
  expected: ReadonlyArray<string>
): ConformanceTest =>
  exampleTest(
    name,
    Effect.gen(function* () {
      yield* insertThreePeople
      expect(yield* idsWhere(where)).toEqual(expected)
      expect(yield* countRows(people, where)).toBe(expected.length)
      expect(yield* idsWhere(not(where))).toEqual(["1", "2", "3"].filter((id) => !expected.includes(id)))
    })
  )

const email = "email"

/** Conformance tests of conditions. Each is also checked negated: the negation must match exactly the other rows. */
export const conditionTests: ReadonlyArray<ConformanceTest> = [
  matchesExactly("`all` matches every row", everyRow, ["1", "2", "3"]),
  matchesExactly("an empty `and` matches every row", and(), ["1", "2", "3"]),
  matchesExactly("an empty `or` matches no row", Where.none, []),
  matchesExactly("`eq` matches equal values, and not null", eq(email, "b"), ["2"]),
  matchesExactly(
    "`eq` is case-sensitive, and distinguishes text from its Unicode decomposition",
    eq("name", "xae\u0301\u{1F600}"),
    []
  ),
  matchesExactly("`lt` does not match null", { op: "lt", column: email, value: "c" }, ["2"]),
  matchesExactly("`lte` matches an equal value", { op: "lte", column: "balance", value: 1 }, ["1"]),
  matchesExactly("`gt` does not match an equal value", { op: "gt", column: email, value: "b" }, ["3"]),
  matchesExactly(
    "`gte` on a boolean orders false before true",
    { op: "gte", column: "active", value: true },
    ["1", "3"]
  ),
  matchesExactly("`in` matches each of the values", { op: "in", column: email, values: ["b", "b", "x"] }, [
    "2"
  ]),
  matchesExactly("an empty `in` matches no row", { op: "in", column: "id", values: [] }, []),
  matchesExactly("`contains` has no wildcard characters", { op: "contains", column: "name", value: "%_\\" }, [
    "2"
  ]),
  matchesExactly("`contains` is case-sensitive", { op: "contains", column: "name", value: "a" }, ["1"]),
  matchesExactly(
    "`contains` matches characters above U+FFFF",
    { op: "contains", column: "name", value: "\u{1F600}" },
    ["3"]
  ),
  matchesExactly(
    "`contains` with an empty string matches every string, and not null",
    { op: "contains", column: email, value: "" },
    ["2", "3"]
  ),
  matchesExactly("`isNull` matches null", { op: "isNull", column: email }, ["1"]),
  matchesExactly("a negated comparison matches null", not(not(eq("manager", "1"))), ["3"]),
  matchesExactly(
    "`inSelect` matches selected values if null is selected, too",
    inSelect("id", people, "manager", everyRow),
    ["1"]
  ),
  matchesExactly(
    "`inSelect` does not match null, even if null is selected",
    inSelect("manager", people, "manager", everyRow),
    ["3"]
  ),
  matchesExactly(
    "`startsWith` has no wildcard characters",
    Where.startsWith<{ name: string }, "name">("name", "%"),
    ["2"]
  )
]

/** Conformance tests of `find`, `count` and `countBy`. */
export const readTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "values of every kind are returned as they were stored",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const about = "long \u{1F600} ".repeat(20_000)
      yield* insertRows(folders, makeFolder("1", { about }))
      yield* insertRows(notes, ...extremeNotes)
      expect(yield* listColumn(folders, "about")).toEqual([about])
      for (const one of extremeNotes) {
        const where = eq("number", one.number)
        const rows = yield* store.find(notes, { where, orderBy: [], direction: "asc" })
        expect(rows.map((row) => ({ ...row }))).toEqual([one])
      }
    })
  ),
  exampleTest(
    "text is ordered and compared by code point",
    Effect.gen(function* () {
      yield* insertRows(
        people,
        ...[...inCodePointOrder].reverse().map((name, index) => makePerson(`${index}`, { name }))
      )
      expect(yield* listColumn(people, "name", { orderBy: ["name"] })).toEqual(inCodePointOrder)
      for (const [index, value] of inCodePointOrder.entries()) {
        expect(yield* countRows(people, { op: "lt", column: "name", value })).toBe(index)
      }
    })
  ),
  exampleTest(
    "false sorts before true, and integers sort by value",
    Effect.gen(function* () {
      yield* insertRows(folders, makeFolder("1"))
      const rows = [
        makeNote("1", 10, { pinned: true }),
        makeNote("1", 9, { pinned: true }),
        makeNote("1", -1),
        makeNote("1", 2 ** 53 - 1)
      ]
      yield* insertRows(notes, ...rows)
      expect(yield* listColumn(notes, "number", { orderBy: ["pinned"] })).toEqual([-1, 2 ** 53 - 1, 9, 10])
    })
  ),
  exampleTest(
    "rows with equal order columns sort by key, and `desc` reverses the entire order",
    Effect.gen(function* () {
      yield* insertThreePeople
      expect(yield* listColumn(people, "id", { orderBy: ["balance"] })).toEqual(["1", "2", "3"])
      expect(yield* listColumn(people, "id", { orderBy: ["balance"], direction: "desc" })).toEqual([
        "3",
        "2",
        "1"
      ])
      expect(yield* listColumn(people, "id", { orderBy: ["active", "balance"] })).toEqual(["2", "1", "3"])
    })
  ),
  exampleTest(
    "`after` continues after a position, whether or not a row has it",
    Effect.gen(function* () {
      yield* insertThreePeople
      const orderBy = ["balance"]
      expect(yield* listColumn(people, "id", { orderBy, after: [2, "2"] })).toEqual(["3"])
      expect(yield* listColumn(people, "id", { orderBy, after: [1, "9"] })).toEqual(["2", "3"])
      expect(yield* listColumn(people, "id", { orderBy, after: [2, "3"], direction: "desc" })).toEqual([
        "2",
        "1"
      ])
      expect(yield* listColumn(people, "id", { orderBy, after: [2, "3"] })).toEqual([])
      expect(yield* listColumn(people, "id", { orderBy, after: [0, ""], limit: 1 })).toEqual(["1"])
    })
  ),
  exampleTest(
    "a nullable column can be ordered by if the condition excludes nulls",
    Effect.gen(function* () {
      yield* insertThreePeople
      const find = { where: not({ op: "isNull", column: "email" }), orderBy: ["email"] } as const
      expect(yield* listColumn(people, "id", find)).toEqual(["2", "3"])
      expect(yield* listColumn(people, "id", { ...find, direction: "desc" })).toEqual(["3", "2"])
      expect(yield* listColumn(people, "id", { ...find, after: ["b", "2"] })).toEqual(["3"])
      expect(yield* listColumn(people, "id", { ...find, after: ["c", "3"], direction: "desc" })).toEqual([
        "2"
      ])
    })
  ),
  exampleTest(
    "`limit` is the maximum number of rows, and 0 returns none",
    Effect.gen(function* () {
      yield* insertThreePeople
      expect(yield* listColumn(people, "id", { limit: 2 })).toEqual(["1", "2"])
      expect(yield* listColumn(people, "id", { limit: 0 })).toEqual([])
      expect(yield* listColumn(people, "id", { limit: 100 })).toEqual(["1", "2", "3"])
    })
  ),
  exampleTest(
    "`select` returns at least the selected columns",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* insertThreePeople
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
  exampleTest(
    "`countBy` counts rows by value, and omits null",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      yield* insertThreePeople
      const counts = (column: string, where: Where.AnyWhere) =>
        Effect.map(store.countBy(people, column, where), (entries) => new Map(entries))
      expect(yield* counts("balance", everyRow)).toEqual(
        new Map([
          [1, 1],
          [2, 2]
        ])
      )
      expect(yield* counts("email", everyRow)).toEqual(
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
