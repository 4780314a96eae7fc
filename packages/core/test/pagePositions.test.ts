/** Pages are inserted and moved to the index that a change names, among any siblings. */
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { applyChanges, childrenByParent, emptyRoot, pageRecords, run } from "./contentTools.ts"

const step = fc.record({
  /** The page that moves, counted over all pages; a new page if it is undefined. */
  moving: fc.option(fc.nat(7), { nil: undefined }),
  /** The index that the change names. An index beyond the siblings, or none, is their end. */
  at: fc.option(fc.nat(7), { nil: undefined })
})

it("places a page at the index among its siblings, without the page itself", () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) =>
      run(
        Effect.gen(function* () {
          let root = emptyRoot
          let expected: ReadonlyArray<string> = []
          for (const [index, { moving, at }] of steps.entries()) {
            const ids = (yield* childrenByParent(root)).get("") ?? []
            const page = moving === undefined ? undefined : ids[moving]
            const records = yield* pageRecords(root)
            const title = page === undefined ? `page ${index}` : String(records.get(`p/${page}`)?.title)
            // A page that moves without an index keeps its position.
            if (page !== undefined && at === undefined) continue
            const place = at === undefined ? {} : { at }
            root = yield* applyChanges(root, [
              page === undefined
                ? { operation: "insert_page", title, ...place }
                : { operation: "update_page", page, into: null, ...place }
            ])
            const others = expected.filter((other) => other !== title)
            expected = others.toSpliced(at ?? others.length, 0, title)
          }
          const records = yield* pageRecords(root)
          const ids = (yield* childrenByParent(root)).get("") ?? []
          expect(ids.map((id) => String(records.get(`p/${id}`)?.title))).toEqual(expected)
        })
      )
    ),
    runs(200)
  ))
