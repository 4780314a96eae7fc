/** Pagination: reading a list by pages while rows are inserted and removed returns each lasting row exactly once. */
import { type PlainRow, RecordsAdapter, type Where } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { compareAll } from "../storage/compare.ts"
import { type ConformanceTest, property } from "./ConformanceTest.ts"
import { orderBy } from "./conditions.ts"
import { and, eq, inSelect, insert, remove, set } from "./examples.ts"
import { folders, notes } from "./tables.ts"
import { folder, note, position } from "./values.ts"

const byNumber = (number: number) => and(eq("folder", "1"), eq("number", number))

/** Few values, so that pages end between rows that share all of them but the key. */
const fields = fc.record({
  title: fc.constantFrom("", "a", "A", "\uFFFD", "\u{1F600}"),
  pinned: fc.boolean(),
  weight: fc.constantFrom(0, 1),
  size: fc.constantFrom(-1, 2 ** 53 - 1)
})

const between = fc.oneof(
  fc.record({ do: fc.constant("comes" as const), number: fc.nat(40), fields }),
  fc.record({ do: fc.constant("goes" as const), number: fc.nat(40) }),
  fc.record({ do: fc.constant("changes" as const), number: fc.nat(40), fields })
)

const conditions: ReadonlyArray<Where.AnyWhere> = [
  { op: "all" },
  { op: "eq", column: "pinned", value: true },
  { op: "not", condition: { op: "eq", column: "title", value: "a" } },
  inSelect("folder", folders, "id", { op: "all" })
]

const holds = (
  where: Where.AnyWhere,
  { pinned, title }: { readonly pinned: boolean; readonly title: string }
) => (where.op === "eq" ? pinned : where.op === "not" ? title !== "a" : true)

/** See the module's comment. */
export const paginationTests: ReadonlyArray<ConformanceTest> = [
  property(
    "pages neither skip nor repeat a row that was there throughout, whatever comes, goes and changes between them",
    40,
    fc.record({
      rows: fc.uniqueArray(fc.tuple(fc.nat(40), fields), { selector: ([number]) => number, maxLength: 25 }),
      where: fc.constantFrom(...conditions),
      orderBy: orderBy(notes),
      direction: fc.constantFrom("asc" as const, "desc"),
      limit: fc.integer({ min: 1, max: 6 }),
      changes: fc.array(fc.array(between, { maxLength: 3 }), { maxLength: 12 })
    }),
    Effect.fnUntraced(function* ({ rows, where, orderBy, direction, limit, changes }) {
      const store = yield* RecordsAdapter
      yield* insert(folders, folder("1"))
      yield* insert(notes, ...rows.map(([number, fields]) => note("1", number, fields)))
      const there = new Set(rows.map(([number]) => number))
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
          const [last, next] = [seen.at(-1), position(notes, orderBy, row)]
          const order = last === undefined ? -1 : sign * compareAll(position(notes, orderBy, last), next)
          // Asked at once, for a list that goes back would have no end.
          expect(order, "each row comes behind the one before it").toBeLessThan(0)
          seen.push(row)
        }
        if (page.length < limit) break
        after = position(notes, orderBy, page[page.length - 1]!)
        for (const change of pending.shift() ?? []) {
          const { number } = change
          touched.add(number)
          if (change.do === "goes") {
            yield* remove(notes, byNumber(number))
            there.delete(number)
          } else if (change.do === "changes") {
            yield* set(notes, byNumber(number), change.fields)
          } else if (!there.has(number)) {
            yield* insert(notes, note("1", number, change.fields))
            there.add(number)
          }
        }
      }
      const throughout = rows.filter(([number, fields]) => !touched.has(number) && holds(where, fields))
      const numbers = seen.map(({ number }) => number as number).filter((number) => !touched.has(number))
      expect(numbers.sort((a, b) => a - b)).toEqual(
        throughout.map(([number]) => number).sort((a, b) => a - b)
      )
    })
  )
]
