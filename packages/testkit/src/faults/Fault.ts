/** Faults that `FaultyStorage` injects into a store, and predicates that select the steps at which they occur. */
import { StorageConflict, StorageUnavailable } from "@lectern/core"
import { type Duration, Effect } from "effect"

/**
 * A method of `RecordsAdapter` at which a fault can occur. A transaction has the steps `begin` and `commit` instead.
 */
export type Verb =
  | "find"
  | "count"
  | "countBy"
  | "search"
  | "snapshot"
  | "insert"
  | "insertMissing"
  | "update"
  | "remove"
  | "next"
  | "claim"

/** A point in the execution of a store operation at which a fault can occur. */
export interface Step {
  /** The position of the step since the last call of `takeSteps`, counted from 1. */
  readonly number: number
  /**
   * `begin`: before a transaction. `verb`: before a verb. `commit`: before a commit. `response`: after the commit of an
   * outermost transaction, or of a write outside a transaction, and before the caller receives the result.
   */
  readonly kind: "begin" | "verb" | "commit" | "response"
  /** The verb of a `verb` step, and of the `response` step of a write outside a transaction; undefined otherwise. */
  readonly verb: Verb | undefined
  /** The name of the table that the verb reads or writes; undefined for `snapshot` and for steps without a verb. */
  readonly table: string | undefined
  /** The number of open transactions around the step; 0 outside a transaction. */
  readonly depth: number
}

/** The errors with which a step can fail. */
export type StepError = StorageUnavailable | StorageConflict

/** Selects the steps at which a fault occurs. Evaluated for every step, so it may count steps. */
export type StepPredicate = (step: Step) => boolean

/** A fault to inject. The functions of this module create common ones. */
export interface Fault {
  /** Selects the steps at which the fault occurs. */
  readonly at: StepPredicate
  /** The number of selected steps at which the fault occurs, before it is used up. */
  readonly times: number
  /**
   * Runs at the step. If it fails, the step fails with its error; if it succeeds, the step continues. `store` connects
   * and disconnects the store.
   */
  readonly run: (
    step: Step,
    store: { readonly disconnect: () => void; readonly reconnect: () => void }
  ) => Effect.Effect<void, StepError>
}

/** Common step predicates. Any function of a step is a predicate, too. */
export const at = {
  /** Selects every step. */
  any: ((_) => true) as StepPredicate,
  /** Selects the step with this number since the last call of `takeSteps`. */
  step:
    (number: number): StepPredicate =>
    (step) =>
      step.number === number,
  /** Selects each call of a verb, on one table or on any. */
  verb:
    (verb: Verb, table?: string): StepPredicate =>
    (step) =>
      step.kind === "verb" && step.verb === verb && (table === undefined || step.table === table),
  /** Selects each call of any verb on a table. */
  table:
    (table: string): StepPredicate =>
    (step) =>
      step.kind === "verb" && step.table === table,
  /** Selects the start of each outermost transaction. */
  begin: ((step) => step.kind === "begin" && step.depth === 0) as StepPredicate,
  /** Selects the commit of each outermost transaction. */
  commit: ((step) => step.kind === "commit" && step.depth === 1) as StepPredicate,
  /** Selects the point after each commit, before the caller receives the result. */
  response: ((step) => step.kind === "response") as StepPredicate,
  /** Selects each step within a transaction. */
  inTransaction: ((step) => step.depth > 0) as StepPredicate,
  /** Selects the steps that all of the predicates select. */
  allOf:
    (...predicates: ReadonlyArray<StepPredicate>): StepPredicate =>
    (step) =>
      predicates.every((predicate) => predicate(step)),
  /** Selects the nth step that a predicate selects, counted from 1. */
  nth: (n: number, predicate: StepPredicate): StepPredicate => {
    let seen = 0
    return (step) => predicate(step) && ++seen === n
  }
} as const

const occursOnce = { times: 1 }

/**
 * Fails one step with `StorageUnavailable`. At a `response` step, the write remains committed and its response is lost.
 */
export const fail = (where: StepPredicate): Fault => ({
  ...occursOnce,
  at: where,
  run: () => Effect.fail(new StorageUnavailable({ reason: "Unreachable", detail: "A fault was injected." }))
})

const writeVerbs: ReadonlySet<Verb | undefined> = new Set<Verb>([
  "insert",
  "insertMissing",
  "update",
  "remove",
  "next"
])

/**
 * Whether a step can conflict with another transaction. A `response` step cannot, nor can a read outside a transaction.
 */
export const canConflict: StepPredicate = (step) =>
  step.kind !== "response" && (step.depth > 0 || step.kind === "begin" || writeVerbs.has(step.verb))

/**
 * Fails one step with `StorageConflict`: the transaction rolls back, and `Records` retries it. Occurs only at selected
 * steps that can conflict (see `canConflict`).
 */
export const conflict = (where: StepPredicate): Fault => ({
  ...occursOnce,
  at: (step) => canConflict(step) && where(step),
  run: () => Effect.fail(new StorageConflict())
})

/** Delays one step by `duration`, on the clock of the fiber: under `TestClock`, until the test advances it. */
export const delay = (where: StepPredicate, duration: Duration.Input): Fault => ({
  ...occursOnce,
  at: where,
  run: () => Effect.sleep(duration)
})

/**
 * Disconnects the store: open transactions roll back, and every step fails, until `FaultyStorage.reconnect` or `heal`.
 */
export const disconnect = (where: StepPredicate): Fault => ({
  ...occursOnce,
  at: where,
  run: (_, store) => Effect.sync(store.disconnect)
})

/** Resets the connection: one step fails and open transactions roll back; operations that begin afterwards succeed. */
export const reset = (where: StepPredicate): Fault => ({
  ...occursOnce,
  at: where,
  run: (_, store) =>
    Effect.suspend(() => {
      store.disconnect()
      store.reconnect()
      return Effect.fail(
        new StorageUnavailable({ reason: "Unreachable", detail: "The connection was reset." })
      )
    })
})

/** Suspends one step permanently. Calls `onReached` when the step begins, for example to interrupt the caller. */
export const hang = (where: StepPredicate, onReached: () => void = () => {}): Fault => ({
  ...occursOnce,
  at: where,
  run: () => Effect.andThen(Effect.sync(onReached), Effect.never)
})

/** Returns the fault with `count` occurrences, at the first `count` steps that it selects. */
export const times = (count: number, fault: Fault): Fault => ({ ...fault, times: count })
