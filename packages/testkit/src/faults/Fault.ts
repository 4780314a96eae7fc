/** Faults of a store, and the steps at which they occur. */
import { StorageConflict, StorageUnavailable } from "@lectern/core"
import { type Duration, Effect } from "effect"

/** The verbs of `RecordsAdapter` that read or write rows. */
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

/** A point that every use of a store passes, at which a fault can occur. */
export interface Step {
  /** The number of the step since the last call of `take`; the first is 1. */
  readonly number: number
  /**
   * `begin`: before a transaction. `verb`: before a verb. `commit`: before a commit. `answer`: after the commit of an
   * outermost transaction, or of a write outside of any, and before the caller learns of it.
   */
  readonly kind: "begin" | "verb" | "commit" | "answer"
  /** The verb of a `verb` step, and of the `answer` to a write outside of transactions. */
  readonly verb: Verb | undefined
  /** The name of the table of the verb. */
  readonly table: string | undefined
  /** The number of open transactions around the step; 0 outside of any. */
  readonly depth: number
}

/** The errors with which a step can fail. */
export type StepError = StorageUnavailable | StorageConflict

/** Whether a fault occurs at a step. */
export type At = (step: Step) => boolean

/** A fault to inject. */
export interface Fault {
  readonly at: At
  /** How often the fault occurs. */
  readonly times: number
  /** The effect at the step. The step passes if it succeeds. */
  readonly does: (
    step: Step,
    store: { readonly disconnect: () => void; readonly reconnect: () => void }
  ) => Effect.Effect<void, StepError>
}

/** Common places of faults. A function of the step is a place too. */
export const at = {
  /** Any step. */
  any: ((_) => true) as At,
  /** The step with this number since the last call of `take`. */
  step:
    (number: number): At =>
    (step) =>
      step.number === number,
  /** Before a verb, on one table or on any. */
  verb:
    (verb: Verb, table?: string): At =>
    (step) =>
      step.kind === "verb" && step.verb === verb && (table === undefined || step.table === table),
  /** Before any verb on a table. */
  table:
    (table: string): At =>
    (step) =>
      step.kind === "verb" && step.table === table,
  /** Before an outermost transaction. */
  begin: ((step) => step.kind === "begin" && step.depth === 0) as At,
  /** Before the commit of an outermost transaction. */
  commit: ((step) => step.kind === "commit" && step.depth === 1) as At,
  /** After a commit, and before the caller learns of it. */
  answer: ((step) => step.kind === "answer") as At,
  /** Within a transaction. */
  inTransaction: ((step) => step.depth > 0) as At,
  /** Steps at which all of the conditions hold. */
  all:
    (...conditions: ReadonlyArray<At>): At =>
    (step) =>
      conditions.every((condition) => condition(step)),
  /** The nth step at which a condition holds, counted from 1. */
  nth: (n: number, condition: At): At => {
    let seen = 0
    return (step) => condition(step) && ++seen === n
  }
} as const

const occursOnce = { times: 1 }

/** Fails one step with `StorageUnavailable`. After a commit, this is a lost response. */
export const fail = (where: At): Fault => ({
  ...occursOnce,
  at: where,
  does: () => Effect.fail(new StorageUnavailable({ reason: "Unreachable", detail: "A fault was injected." }))
})

const writes: ReadonlySet<Verb | undefined> = new Set<Verb>([
  "insert",
  "insertMissing",
  "update",
  "remove",
  "next"
])

/** Whether a step can conflict with another transaction: not after a commit, and not for a read outside of any. */
export const canConflict: At = (step) =>
  step.kind !== "answer" && (step.depth > 0 || step.kind === "begin" || writes.has(step.verb))

/**
 * Fails a step with `StorageConflict`: the transaction rolls back, and `Records` retries it. It occurs only at steps
 * that can conflict.
 */
export const conflict = (where: At): Fault => ({
  ...occursOnce,
  at: (step) => canConflict(step) && where(step),
  does: () => Effect.fail(new StorageConflict())
})

/** Delays a step, by the clock of the fiber. */
export const delay = (where: At, duration: Duration.Input): Fault => ({
  ...occursOnce,
  at: where,
  does: () => Effect.sleep(duration)
})

/** Loses the connection: everything fails, and open transactions roll back, until `reconnect`. */
export const disconnect = (where: At): Fault => ({
  ...occursOnce,
  at: where,
  does: (_, store) => Effect.sync(store.disconnect)
})

/** Resets the connection: open transactions roll back, and what begins afterwards succeeds. */
export const reset = (where: At): Fault => ({
  ...occursOnce,
  at: where,
  does: (_, store) =>
    Effect.suspend(() => {
      store.disconnect()
      store.reconnect()
      return Effect.fail(
        new StorageUnavailable({ reason: "Unreachable", detail: "The connection was reset." })
      )
    })
})

/** Never completes a step. Calls `reached` when the step begins, for example to interrupt the caller. */
export const hang = (where: At, reached: () => void = () => {}): Fault => ({
  ...occursOnce,
  at: where,
  does: () => Effect.andThen(Effect.sync(reached), Effect.never)
})

/** Repeats a fault `count` times in a row. */
export const times = (count: number, fault: Fault): Fault => ({ ...fault, times: count })
