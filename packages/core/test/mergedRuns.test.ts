/** The order of runs of pages that both sides insert at one place does not depend on the side that is merged first. */
import { type BlobHash, ContentStore, merge } from "@lectern/core/content"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { applyChanges, childrenByParent, emptyRoot, pageRecords, run } from "./contentTools.ts"

const insertAll = (titles: ReadonlyArray<string>, at: number) =>
  titles.map((title, index) => ({ operation: "insert_page", title, into: null, at: at + index }))

const titlesOf = Effect.fnUntraced(function* (root: BlobHash) {
  const records = yield* pageRecords(root)
  const ids = (yield* childrenByParent(root)).get("") ?? []
  return ids.map((id) => String(records.get(`p/${id}`)?.title))
})

const side = (prefix: string, length: number): ReadonlyArray<string> =>
  Array.from({ length }, (_, index) => `${prefix}${index}`)

it("keeps runs of up to five pages whole, and in the same order from both sides", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.nat(3),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      (count, place, ones, others, isOtherFirst) =>
        run(
          Effect.gen(function* () {
            const store = yield* ContentStore
            const base = yield* applyChanges(emptyRoot, insertAll(side("base", count), 0))
            const at = Math.min(place, count)
            const inserted = {
              one: insertAll(side("one", ones), at),
              other: insertAll(side("other", others), at)
            }
            // Ids contain the time of creation, so the side that is written first has the smaller ones.
            const first = yield* applyChanges(base, isOtherFirst ? inserted.other : inserted.one)
            const second = yield* applyChanges(base, isOtherFirst ? inserted.one : inserted.other)
            const forwards = yield* merge(store, { base, primary: first, change: second })
            const backwards = yield* merge(store, { base, primary: second, change: first })
            if (forwards._tag !== "Merged" || backwards._tag !== "Merged")
              throw new Error("The sides conflict.")
            const order = yield* titlesOf(forwards.root)
            expect(yield* titlesOf(backwards.root)).toEqual(order)
            for (const titles of [side("one", ones), side("other", others)]) {
              const start = order.indexOf(titles[0]!)
              expect(order.slice(start, start + titles.length)).toEqual(titles)
            }
            expect(order.toSorted()).toEqual(
              [...side("base", count), ...side("one", ones), ...side("other", others)].toSorted()
            )
          })
        )
    ),
    runs(100)
  ))
