/** Conformance tests that compare a store with `MemoryStorage`, the reference implementation. */
import { RecordsAdapter } from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { MemoryStorage } from "../storage/MemoryStorage.ts"
import { type ConformanceTest, property, readAllTables } from "./ConformanceTest.ts"
import { find, where } from "./conditions.ts"
import { runSteps } from "./runSteps.ts"
import { randomSteps, type Step } from "./steps.ts"
import { modelledTables } from "./tables.ts"
import { row } from "./values.ts"

const inReference = <A, E>(effect: Effect.Effect<A, E, RecordsAdapter>): Effect.Effect<A, E> =>
  Effect.provide(effect, MemoryStorage.layer(modelledTables))

const rowsOfAll = fc.tuple(
  ...modelledTables.map((table) => fc.array(row(table), { minLength: 4, maxLength: 12 }))
)

/** Of rows at random, those that are let in one after the other, by table. */
const letIn = Effect.fnUntraced(function* (rows: ReadonlyArray<ReadonlyArray<Record<string, unknown>>>) {
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

const question: fc.Arbitrary<Step> = fc.constantFrom(...modelledTables).chain((table) =>
  fc.oneof(
    {
      arbitrary: fc.record({
        do: fc.constant("find" as const),
        table: fc.constant(table),
        find: find(table)
      }),
      weight: 4
    },
    fc.record({ do: fc.constant("count" as const), table: fc.constant(table), where: where(table, 3) })
  )
)

/** See the module's comment. */
export const randomStepTests: ReadonlyArray<ConformanceTest> = [
  property(
    "random steps, with transactions that fail, die and are interrupted, return what the reference returns",
    80,
    fc.tuple(rowsOfAll, randomSteps),
    Effect.fnUntraced(function* ([rows, steps]) {
      const outcomes = Effect.gen(function* () {
        const outcomes = yield* runSteps(steps)
        return { outcomes, left: yield* readAllTables }
      })
      const { start, expected } = yield* inReference(
        Effect.gen(function* () {
          return { start: yield* letIn(rows), expected: yield* outcomes }
        })
      )
      yield* insertAll(start)
      expect(yield* outcomes).toEqual(expected)
    })
  ),
  property(
    "every list is the rows that the condition holds for, in order, after the position, up to the limit",
    50,
    fc.tuple(rowsOfAll, fc.array(question, { minLength: 5, maxLength: 10 })),
    Effect.fnUntraced(function* ([rows, questions]) {
      const { start, expected } = yield* inReference(
        Effect.gen(function* () {
          return { start: yield* letIn(rows), expected: yield* runSteps(questions) }
        })
      )
      yield* insertAll(start)
      expect(yield* runSteps(questions)).toEqual(expected)
    })
  )
]
