/** Generated columns: the store numbers rows in the order of their insertion, without a lock. */
import { Records, Table } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { type ConformanceTest, propertyTest } from "./ConformanceTest.ts"
import { runConcurrently } from "./concurrently.ts"
import { entries } from "./tables.ts"

const entryOf = (writer: string, number: number) => ({ position: Table.generatedValue, writer, number })

const readEntries = Effect.flatMap(Records, (records) => records.find(entries, {}))

/** Conformance tests of generated columns. */
export const generatedKeyTests: ReadonlyArray<ConformanceTest> = [
  propertyTest(
    "generated numbers ascend in the order of insertion, within a call and between calls, also after removals",
    10,
    fc.array(fc.record({ count: fc.integer({ min: 1, max: 4 }), clears: fc.boolean() }), { maxLength: 6 }),
    Effect.fnUntraced(function* (calls) {
      const records = yield* Records
      let number = 0
      for (const { count, clears } of calls) {
        const before = yield* readEntries
        yield* records.insertMany(
          entries,
          Array.from({ length: count }, () => entryOf("a", number++))
        )
        const inserted = (yield* readEntries).slice(before.length)
        expect(inserted.map((row) => row.number)).toEqual(
          Array.from({ length: count }, (_, index) => number - count + index)
        )
        if (clears) yield* records.remove(entries, { op: "all" })
      }
    })
  ),
  propertyTest(
    "concurrent transactions generate distinct numbers, in the order of the insertions of each",
    6,
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
    Effect.fnUntraced(function* (counts) {
      const records = yield* Records
      yield* records.remove(entries, { op: "all" })
      yield* runConcurrently(
        counts.map((count, writer) =>
          records.lockedTransaction(
            [],
            Effect.forEach(
              Array.from({ length: count }, (_, number) => number),
              (number) => records.insert(entries, entryOf(String(writer), number)),
              { discard: true }
            )
          )
        )
      )
      const rows = yield* readEntries
      expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length)
      for (const [writer, own] of Map.groupBy(rows, (row) => row.writer)) {
        expect(
          own.map(({ number }) => number),
          writer
        ).toEqual(own.map((_, index) => index))
      }
    })
  )
]
