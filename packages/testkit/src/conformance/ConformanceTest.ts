/** A conformance test: one requirement of `RecordsAdapter`, with a check that fails on a store that violates it. */
import { Records, RecordsAdapter, type Where } from "@lectern/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { runsMultiplier, scaledRuns } from "./numRuns.ts"
import { retryingWrites } from "./retryingWrites.ts"
import { conformanceTables, folders, items, notes, pages, people, permits, pins } from "./tables.ts"

/** Runs an effect on the store under test. */
export type RunEffect = <A, E>(effect: Effect.Effect<A, E, Records | RecordsAdapter>) => Promise<A>

/** One requirement of the port, independent of a test runner: `check` also runs on a store that must not pass. */
export interface ConformanceTest {
  /** The requirement, as a sentence that is true of every store. */
  readonly name: string
  /**
   * Rejects if the store violates the requirement; for a generated case, with its fast-check seed and path. `caseShare`
   * is the share of the generated cases to check, all by default.
   */
  readonly check: (run: RunEffect, caseShare?: number) => Promise<void>
}

/** An open store under test. Call `close` when done. */
export interface OpenedStore {
  /** Runs an effect on the store; pass it to `ConformanceTest.check`. */
  readonly run: RunEffect
  /** Closes the store. */
  readonly close: () => Promise<void>
}

/**
 * Opens a store, to run single conformance tests on it without `storageConformance`.
 *
 * @example
 * const store = openStore(MyStorage.layer({ tables: conformanceTables }))
 * await conformanceTests.pagination[0].check(store.run)
 * await store.close()
 */
export const openStore = (storage: Layer.Layer<RecordsAdapter, unknown>): OpenedStore => {
  const runtime = ManagedRuntime.make(Records.layer.pipe(Layer.provideMerge(retryingWrites(storage))))
  return { run: (effect) => runtime.runPromise(effect), close: () => runtime.dispose() }
}

const everyRow: Where.AnyWhere = { op: "all" }

/** Deletes all rows of the conformance tables, referencing tables first. */
export const clearTables = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  for (const table of [pages, pins, notes, folders, people, items, permits])
    yield* store.remove(table, everyRow)
})

/** Reads all rows of each conformance table, ordered by key. */
export const readAllTables = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  return yield* Effect.forEach(conformanceTables, (table) =>
    store.find(table, { where: everyRow, orderBy: table.key, direction: "asc" })
  )
})

/** The timeout of one case. A store that hangs fails the case, which is then shrunk. */
const caseTimeout = "20 seconds"

/** Runs an effect after clearing the conformance tables. Dies if the store does not respond within the case timeout. */
export const withEmptyTables = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, unknown, R | RecordsAdapter> =>
  Effect.andThen(clearTables, effect).pipe(
    Effect.timeoutOrElse({
      duration: caseTimeout,
      orElse: () => Effect.die(new Error(`The store did not respond within ${caseTimeout}.`))
    })
  )

/** A conformance test with one fixed case. */
export const exampleTest = (
  name: string,
  effect: Effect.Effect<void, unknown, Records | RecordsAdapter>
): ConformanceTest => ({ name, check: (run) => run(withEmptyTables(effect)) })

/** The limit on generating and shrinking cases: 90 s, below `testTimeoutMs`, so that a failure reports its case. */
const propertyTimeLimitMs = 90_000 * Math.max(1, runsMultiplier)

/** The vitest timeout of each conformance test: 120 s, times `LECTERN_TEST_RUNS`. */
export const testTimeoutMs = 120_000 * Math.max(1, runsMultiplier)

/** A conformance test with `runs` generated cases, times `LECTERN_TEST_RUNS` and the share of the caller. */
export const propertyTest = <A>(
  name: string,
  runs: number,
  cases: fc.Arbitrary<A>,
  check: (value: A) => Effect.Effect<void, unknown, Records | RecordsAdapter>
): ConformanceTest => ({
  name,
  check: (run, caseShare = 1) =>
    fc.assert(
      fc.asyncProperty(cases, (value) => run(withEmptyTables(check(value)))),
      {
        ...scaledRuns(runs * caseShare),
        interruptAfterTimeLimit: propertyTimeLimitMs,
        markInterruptAsFailure: true
      }
    )
})
