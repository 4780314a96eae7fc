/** Runs generated steps on a store, and describes the outcome of each in a form that is comparable across stores. */
import {
  type Find,
  type PlainRow,
  RecordsAdapter,
  type Table,
  type WriteError,
  type WriteOptions
} from "@lectern/core"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { whereKey } from "./examples.ts"
import type { Step } from "./steps.ts"

type Store = RecordsAdapter["Service"]

/** How the steps call the store. */
export interface StepOptions extends WriteOptions {
  /** Whether transactions find rows with `findBeforeEnd`, if the store has it. */
  readonly findsBeforeEnd?: boolean
}

const findRows = (
  store: Store,
  { table, find }: Extract<Step, { readonly do: "find" }>
): Effect.Effect<ReadonlyArray<PlainRow>, WriteError> =>
  Effect.map(store.find(table, find), (rows) => pickAll(rows, table, find))

/** Returns an object that has the found rows after a query of the transaction, or after the transaction. */
const findRowsBeforeEnd = Effect.fnUntraced(function* (
  store: Store,
  step: Extract<Step, { readonly do: "find" }>
): Effect.fn.Return<{ uses: Array<ReadonlyArray<PlainRow>> }, WriteError> {
  const { table, find } = step
  const uses: Array<ReadonlyArray<PlainRow>> = []
  const use = (rows: ReadonlyArray<PlainRow>) =>
    Effect.sync(() => {
      uses.push(pickAll(rows, table, find))
    })
  const isLater = store.findBeforeEnd !== undefined && (yield* store.findBeforeEnd(table, find, use))
  if (!isLater) uses.push(yield* findRows(store, step))
  return { uses }
})

/** The part of a result that the port specifies: it leaves the order of counts and unselected columns open. */
const resultOf = (
  store: Store,
  step: Exclude<Step, { readonly do: "transaction" }>,
  options: StepOptions
): Effect.Effect<unknown, WriteError> => {
  switch (step.do) {
    case "find":
      return options.findsBeforeEnd === true ? findRowsBeforeEnd(store, step) : findRows(store, step)
    case "count":
      return store.count(step.table, step.where)
    case "countBy":
      return Effect.map(store.countBy(step.table, step.column, step.where), (counts) =>
        counts.map(([value, count]) => `${typeof value} ${value}: ${count}`).sort()
      )
    case "insert":
      return store.insert(step.table, step.rows, options)
    case "insertMissing":
      return numberOf(store.insertMissing(step.table, step.rows, options), options)
    case "update":
      return numberOf(store.update(step.table, step.where, step.change, options), options)
    case "remove":
      return numberOf(store.remove(step.table, step.where, options), options)
    case "next":
      return store.next(step.table, whereKey(step.key), step.column)
  }
}

/** The number that a write returns, if it has a meaning. */
const numberOf = (
  write: Effect.Effect<number, WriteError>,
  { isResultUnused }: WriteOptions
): Effect.Effect<unknown, WriteError> => (isResultUnused === true ? Effect.asVoid(write) : write)

const pickAll = (
  rows: ReadonlyArray<PlainRow>,
  table: Table.AnyTable,
  { select }: Find
): ReadonlyArray<PlainRow> => {
  const columns = select ?? Object.keys(table.columns)
  return rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
}

const transactionEndings = {
  succeed: Effect.void,
  fail: Effect.fail("failed"),
  die: Effect.die("died"),
  interrupt: Effect.interrupt,
  killed: Effect.void
} as const

/** Runs a step. A failing verb fails its transaction, as the port requires; a failing nested transaction does not. */
const runStep = (store: Store, step: Step, options: StepOptions): Effect.Effect<unknown, unknown> => {
  if (step.do !== "transaction") return resultOf(store, step, options)
  const steps = Effect.forEach(step.steps, (inner) =>
    inner.do === "transaction" ? outcomeOf(store, inner, options) : runStep(store, inner, options)
  )
  if (step.end !== "killed") return store.transaction(Effect.tap(steps, () => transactionEndings[step.end]))
  return Effect.gen(function* () {
    const isDone = yield* Deferred.make<void>()
    const body = Effect.andThen(steps, Effect.andThen(Deferred.succeed(isDone, undefined), Effect.never))
    const fiber = yield* Effect.forkChild(store.transaction(body))
    yield* Effect.raceFirst(Deferred.await(isDone), Effect.exit(Fiber.join(fiber)))
    yield* Fiber.interrupt(fiber)
    return yield* Fiber.join(fiber)
  })
}

/** Returns the outcome of a step: its value, its error, or `interrupted`. An error of a later write is a defect. */
const outcomeOf = (store: Store, step: Step, options: StepOptions): Effect.Effect<unknown> =>
  Effect.map(Effect.exit(runStep(store, step, options)), (exit) => {
    if (Exit.isSuccess(exit)) return { succeeded: exit.value }
    if (options.isResultUnused === true) return "failed"
    if (Cause.hasInterrupts(exit.cause)) return "interrupted"
    const error = Cause.squash(exit.cause)
    return { failed: error instanceof Error ? { ...error, name: error.name } : error }
  })

/** Returns the outcome of each step on the provided store, whose writes have these options. */
export const runSteps = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>, options: StepOptions = {}) {
  const store = yield* RecordsAdapter
  return yield* Effect.forEach(steps, (step) => outcomeOf(store, step, options))
})
