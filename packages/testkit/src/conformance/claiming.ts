/** `claim` and `probe`: concurrent workers share rows without returning one twice. */
import { Records, RecordsAdapter, type Table, Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest, propertyTest, readAllTables } from "./ConformanceTest.ts"
import { runConcurrently } from "./concurrently.ts"
import { people } from "./tables.ts"
import { makePerson } from "./values.ts"

type Person = Table.Row<typeof people>

/** Claims people with a balance of 0, the first by id, and sets their balance to 1. */
const claimPeople = (limit: number) =>
  Effect.flatMap(Records, (records) =>
    records.claim(
      people,
      { where: Where.eq<Person, "balance">("balance", 0), orderBy: ["id"], limit },
      {},
      { balance: 1 }
    )
  )

/** Conformance tests of `claim` and `probe`. */
export const claimTests: ReadonlyArray<ConformanceTest> = [
  propertyTest(
    "`claim` changes the first rows in order that match, and returns them with their new values",
    12,
    fc.record({
      balances: fc.array(fc.nat(1), { minLength: 1, maxLength: 9 }),
      limit: fc.nat(10)
    }),
    Effect.fnUntraced(function* ({ balances, limit }) {
      const records = yield* Records
      const rows = balances.map((balance, index) => makePerson(String(index), { balance }))
      yield* records.insertMany(people, rows.toReversed())
      const expected = rows.filter(({ balance }) => balance === 0).slice(0, limit)
      const claimed = yield* claimPeople(limit)
      expect(claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
        expected.map((row) => ({ ...row, balance: 1 }))
      )
      const changed = new Set(expected.map(({ id }) => id))
      expect(yield* records.find(people, {})).toEqual(
        rows.map((row) => (changed.has(row.id) ? { ...row, balance: 1 } : row))
      )
    })
  ),
  propertyTest(
    "concurrent calls of `claim` return each row at most once, and together every row",
    8,
    fc.record({
      count: fc.integer({ min: 1, max: 12 }),
      limits: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 6 })
    }),
    Effect.fnUntraced(function* ({ count, limits }) {
      const records = yield* Records
      yield* records.insertMany(
        people,
        Array.from({ length: count }, (_, index) => makePerson(String(index), { balance: 0 }))
      )
      const first = yield* runConcurrently(limits.map(claimPeople))
      const rest = yield* claimPeople(count)
      const ids = [...first.flat(), ...rest].map(({ id }) => id)
      expect(ids.toSorted()).toEqual((yield* records.find(people, {})).map(({ id }) => id))
      expect(yield* records.count(people, Where.eq<Person, "balance">("balance", 1))).toBe(count)
    })
  ),
  exampleTest(
    "`probe` succeeds and leaves no data",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      const before = yield* readAllTables
      yield* store.probe
      yield* store.probe
      expect(yield* readAllTables).toEqual(before)
    })
  )
]
