/** What a law is: a sentence about every store, and what fails where a store does not keep to it. */
import { Records, RecordsAdapter, type Where } from "@lectern/core"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { multiplier, runs as runsOf } from "../../runs.ts"
import { folders, lawTables, notes, pages, people, pins } from "./tables.ts"

/** Runs an effect on the store that is checked. */
export type Run = <A, E>(effect: Effect.Effect<A, E, Records | RecordsAdapter>) => Promise<A>

/** A law of the port. It is no test by itself: `check` can be run on a store that must not pass too. */
export interface Law {
  /** A sentence that is true of every store. */
  readonly name: string
  /** Rejects where the store does not keep to it; for a generated case, with the seed and path that replay it. */
  readonly check: (run: Run) => Promise<void>
}

/** A store under check, open until it is closed. */
export interface Opened {
  readonly run: Run
  readonly close: () => Promise<void>
}

/** Opens a store for checking laws on it. */
export const open = (storage: Layer.Layer<RecordsAdapter, unknown>): Opened => {
  const runtime = ManagedRuntime.make(Records.layer.pipe(Layer.provideMerge(storage)))
  return { run: (effect) => runtime.runPromise(effect), close: () => runtime.dispose() }
}

const everyRow: Where.AnyWhere = { op: "all" }

/** Empties the tables of the laws, those that refer to others first. */
export const clear = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  for (const table of [pages, pins, notes, folders, people]) yield* store.remove(table, everyRow)
})

/** All that is stored: the rows of each table, by key. */
export const everything = Effect.gen(function* () {
  const store = yield* RecordsAdapter
  return yield* Effect.forEach(lawTables, (table) =>
    store.find(table, { where: everyRow, orderBy: table.key, direction: "asc" })
  )
})

/** After so long, a store is taken to hang: the case fails and is shrunk, rather than the whole test running out. */
const patience = "20 seconds"

/** Runs an effect on a store without rows. */
export const onEmpty = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, unknown, R | RecordsAdapter> =>
  Effect.andThen(clear, effect).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.die(new Error(`The store did not answer within ${patience}.`))
    })
  )

/** A law with one plain case. */
export const example = (
  name: string,
  effect: Effect.Effect<void, unknown, Records | RecordsAdapter>
): Law => ({ name, check: (run) => run(onEmpty(effect)) })

/** How long generating and shrinking go on at most, in milliseconds: less than a test may take. */
const timeLimit = 90_000 * Math.max(1, multiplier)

/** A law with generated cases: so many by default, `LECTERN_TEST_RUNS` times as many where that is set. */
export const property = <A>(
  name: string,
  runs: number,
  cases: fc.Arbitrary<A>,
  check: (value: A) => Effect.Effect<void, unknown, Records | RecordsAdapter>
): Law => ({
  name,
  check: (run) =>
    fc.assert(
      fc.asyncProperty(cases, (value) => run(onEmpty(check(value)))),
      {
        ...runsOf(runs),
        interruptAfterTimeLimit: timeLimit,
        markInterruptAsFailure: true
      }
    )
})
