/** Conformance tests that compare a store with `MemoryStorage`, the reference implementation. */
import { RecordsAdapter } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { MemoryStorage } from "../storage/MemoryStorage.ts"
import { type ConformanceTest, propertyTest, readAllTables } from "./ConformanceTest.ts"
import { findArbitrary, whereArbitrary } from "./conditions.ts"
import { runSteps, type StepOptions } from "./runSteps.ts"
import { type Step, stepsArbitrary } from "./steps.ts"
import { modelledTables } from "./tables.ts"
import { rowArbitrary } from "./values.ts"

const withReferenceStore = <A, E>(effect: Effect.Effect<A, E, RecordsAdapter>): Effect.Effect<A, E> =>
  Effect.provide(effect, MemoryStorage.layer(modelledTables))

const rowsOfAllTables = fc.tuple(
  ...modelledTables.map((table) => fc.array(rowArbitrary(table), { minLength: 4, maxLength: 12 }))
)

/** Inserts random rows one by one, ignoring violations. Returns the rows that were accepted, by table. */
const insertAcceptedRows = Effect.fnUntraced(function* (
  rows: ReadonlyArray<ReadonlyArray<Record<string, unknown>>>
) {
  const store = yield* RecordsAdapter
  for (const [index, table] of modelledTables.entries()) {
    for (const one of rows[index]!) yield* Effect.ignore(store.insert(table, [one]))
  }
  return yield* readAllTables
})

const insertAll = Effect.fnUntraced(function* (rows: ReadonlyArray<ReadonlyArray<Record<string, unknown>>>) {
  const store = yield* RecordsAdapter
  for (const [index, table] of modelledTables.entries()) yield* store.insert(table, rows[index]!)
})

const readStepArbitrary: fc.Arbitrary<Step> = fc.constantFrom(...modelledTables).chain((table) =>
  fc.oneof(
    {
      arbitrary: fc.record({
        do: fc.constant("find" as const),
        table: fc.constant(table),
        find: findArbitrary(table)
      }),
      weight: 4
    },
    fc.record({
      do: fc.constant("count" as const),
      table: fc.constant(table),
      where: whereArbitrary(table, 3)
    })
  )
)

/** Compares the outcomes of random steps with these options with the outcomes on `MemoryStorage`. */
const comparisonTest = (name: string, runs: number, options: StepOptions): ConformanceTest =>
  propertyTest(
    name,
    runs,
    fc.tuple(rowsOfAllTables, stepsArbitrary),
    Effect.fnUntraced(function* ([rows, steps]) {
      if (options.findsBeforeEnd === true && (yield* RecordsAdapter).findBeforeEnd === undefined) return
      const outcomes = Effect.gen(function* () {
        const outcomes = yield* runSteps(steps, options)
        return { outcomes, left: yield* readAllTables }
      })
      const { start, expected } = yield* withReferenceStore(
        Effect.gen(function* () {
          return { start: yield* insertAcceptedRows(rows), expected: yield* outcomes }
        })
      )
      yield* insertAll(start)
      expect(yield* outcomes).toEqual(expected)
    })
  )

/** Conformance tests against the reference implementation. */
export const randomStepTests: ReadonlyArray<ConformanceTest> = [
  comparisonTest(
    "random steps return the same as on MemoryStorage, including transactions that fail, die and are interrupted",
    80,
    {}
  ),
  comparisonTest(
    "random steps whose writes return nothing read and leave the same rows as on MemoryStorage, and fail alike",
    80,
    { isResultUnused: true }
  ),
  comparisonTest(
    "random steps that find rows before the end of transactions use the same rows as on MemoryStorage, once each",
    40,
    { isResultUnused: true, findsBeforeEnd: true }
  ),
  propertyTest(
    "`find` and `count` return the same as on MemoryStorage for random conditions, orders, positions and limits",
    50,
    fc.tuple(rowsOfAllTables, fc.array(readStepArbitrary, { minLength: 5, maxLength: 10 })),
    Effect.fnUntraced(function* ([rows, reads]) {
      const { start, expected } = yield* withReferenceStore(
        Effect.gen(function* () {
          return { start: yield* insertAcceptedRows(rows), expected: yield* runSteps(reads) }
        })
      )
      yield* insertAll(start)
      expect(yield* runSteps(reads)).toEqual(expected)
    })
  )
]
