/** `readTransaction`: one fixed case per requirement. */
import { RecordsAdapter } from "@lectern/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type ConformanceTest, exampleTest } from "./ConformanceTest.ts"
import { countRows, insertRows, listColumn } from "./examples.ts"
import { people } from "./tables.ts"
import { makePerson } from "./values.ts"

/** Runs reads on one committed state, with a transaction if the store has no read transactions. */
const readOnce = <A, E>(self: (mayWrite: boolean) => Effect.Effect<A, E, RecordsAdapter>) =>
  Effect.flatMap(
    RecordsAdapter,
    (store) => store.readTransaction?.(self(true)) ?? store.transaction(self(false))
  )

/** Conformance tests of `readTransaction`. */
export const readTransactionTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "a read transaction sees the state of its start, and writers do not wait for it",
    Effect.gen(function* () {
      yield* insertRows(people, makePerson("1"))
      const context = yield* Effect.context<RecordsAdapter>()
      const seen = yield* readOnce((mayWrite) =>
        Effect.gen(function* () {
          const before = yield* listColumn(people, "id")
          // Another caller, whose write would never end if it waited for the reads.
          if (mayWrite) {
            yield* Effect.promise(() => Effect.runPromiseWith(context)(insertRows(people, makePerson("2"))))
          }
          return [before, yield* listColumn(people, "id"), yield* countRows(people)]
        })
      )
      expect(seen).toEqual([["1"], ["1"], 1])
      const { readTransaction } = yield* RecordsAdapter
      expect(yield* countRows(people)).toBe(readTransaction === undefined ? 1 : 2)
    })
  ),

  exampleTest(
    "a write in a read transaction fails, and changes nothing",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      if (store.readTransaction !== undefined) {
        const exit = yield* Effect.exit(store.readTransaction(insertRows(people, makePerson("1"))))
        expect(exit._tag).toBe("Failure")
      }
      expect(yield* countRows(people)).toBe(0)
    })
  )
]
