/**
 * Keyset pagination: while rows are inserted and removed between pages, each unaffected row is returned exactly once.
 */
import { type PlainRow, RecordsAdapter, type Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { comparePositions } from "../storage/compare.ts"
import { type ConformanceTest, propertyTest } from "./ConformanceTest.ts"
import { orderByArbitrary } from "./conditions.ts"
import { and, eq, inSelect, insertRows, removeRows, setColumns } from "./examples.ts"
import { folders, notes } from "./tables.ts"
import { makeFolder, makeNote, positionOf } from "./values.ts"

const byNumber = (number: number) => and(eq("folder", "1"), eq("number", number))

/** Few distinct values, so that pages end between rows that differ in their key only. */
const fieldsArbitrary = fc.record({
  title: fc.constantFrom("", "a", "A", "\uFFFD", "\u{1F600}"),
  pinned: fc.boolean(),
  weight: fc.constantFrom(0, 1),
  size: fc.constantFrom(-1, 2 ** 53 - 1)
})

const changeArbitrary = fc.oneof(
  fc.record({ do: fc.constant("insert" as const), number: fc.nat(40), fields: fieldsArbitrary }),
  fc.record({ do: fc.constant("remove" as const), number: fc.nat(40) }),
  fc.record({ do: fc.constant("update" as const), number: fc.nat(40), fields: fieldsArbitrary })
)

const conditions: ReadonlyArray<Where.AnyWhere> = [
  { op: "all" },
  { op: "eq", column: "pinned", value: true },
  { op: "not", condition: { op: "eq", column: "title", value: "a" } },
  inSelect("folder", folders, "id", { op: "all" })
]

const matches = (
  where: Where.AnyWhere,
  { pinned, title }: { readonly pinned: boolean; readonly title: string }
) => (where.op === "eq" ? pinned : where.op === "not" ? title !== "a" : true)

/** Conformance tests of pagination. */
export const paginationTests: ReadonlyArray<ConformanceTest> = [
  propertyTest(
    "pages neither skip nor repeat a row that no insert, removal or update between them affects",
    40,
    fc.record({
      rows: fc.uniqueArray(fc.tuple(fc.nat(40), fieldsArbitrary), {
        selector: ([number]) => number,
        maxLength: 25
      }),
      where: fc.constantFrom(...conditions),
      orderBy: orderByArbitrary(notes),
      direction: fc.constantFrom("asc" as const, "desc"),
      limit: fc.integer({ min: 1, max: 6 }),
      changes: fc.array(fc.array(changeArbitrary, { maxLength: 3 }), { maxLength: 12 })
    }),
    Effect.fnUntraced(function* ({ rows, where, orderBy, direction, limit, changes }) {
      const store = yield* RecordsAdapter
      yield* insertRows(folders, makeFolder("1"))
      yield* insertRows(notes, ...rows.map(([number, fields]) => makeNote("1", number, fields)))
      const present = new Set(rows.map(([number]) => number))
      const touched = new Set<number>()
      const seen: Array<PlainRow> = []
      const sign = direction === "asc" ? 1 : -1
      const pending = [...changes]
      let after: ReadonlyArray<Where.Scalar> | undefined
      for (;;) {
        const page = yield* store.find(notes, {
          ...{ where, orderBy, direction, limit },
          ...(after === undefined ? {} : { after })
        })
        for (const row of page) {
          const [last, next] = [seen.at(-1), positionOf(notes, orderBy, row)]
          const order =
            last === undefined ? -1 : sign * comparePositions(positionOf(notes, orderBy, last), next)
          // Checked immediately, as a list that moves backwards would not terminate.
          expect(order, "each row sorts after the previous one").toBeLessThan(0)
          seen.push(row)
        }
        if (page.length < limit) break
        after = positionOf(notes, orderBy, page[page.length - 1]!)
        for (const change of pending.shift() ?? []) {
          const { number } = change
          touched.add(number)
          if (change.do === "remove") {
            yield* removeRows(notes, byNumber(number))
            present.delete(number)
          } else if (change.do === "update") {
            yield* setColumns(notes, byNumber(number), change.fields)
          } else if (!present.has(number)) {
            yield* insertRows(notes, makeNote("1", number, change.fields))
            present.add(number)
          }
        }
      }
      const throughout = rows.filter(([number, fields]) => !touched.has(number) && matches(where, fields))
      const numbers = seen.map(({ number }) => number as number).filter((number) => !touched.has(number))
      expect(numbers.sort((a, b) => a - b)).toEqual(
        throughout.map(([number]) => number).sort((a, b) => a - b)
      )
    })
  )
]
