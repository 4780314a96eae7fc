/** What can go wrong in a store, and at which of its steps. */
import { StorageConflict, StorageUnavailable } from "@lectern/core"
import { type Duration, Effect } from "effect"

/** The verbs of `RecordsAdapter`, but for `transaction`. */
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

/** A point that whoever uses a store passes. */
export interface Step {
  /** The first since the steps were taken last is 1. */
  readonly number: number
  /**
   * `begin`: before a transaction. `verb`: before a verb. `commit`: before a transaction is committed. `answer`: after
   * an outermost transaction, or a verb that wrote outside of any, was committed, and before anybody knows.
   */
  readonly kind: "begin" | "verb" | "commit" | "answer"
  /** Of a verb, and of the answer to one. */
  readonly verb: Verb | undefined
  /** The name of the table that the verb asks. */
  readonly table: string | undefined
  /** How many transactions are open around it: 0 outside of any. */
  readonly depth: number
}

/** How a step can fail. */
export type StepError = StorageUnavailable | StorageConflict

/** Whether a fault waits at a step. */
export type At = (step: Step) => boolean

/** Something that goes wrong. */
export interface Fault {
  readonly at: At
  /** How often; then it is over. */
  readonly times: number
  /** What happens at the step. Where it succeeds, the step is passed. */
  readonly does: (
    step: Step,
    store: { readonly disconnect: () => void; readonly reconnect: () => void }
  ) => Effect.Effect<void, StepError>
}

/** Places for faults. Others are functions of your own. */
export const at = {
  /** Any step. */
  any: ((_) => true) as At,
  /** The step of this number, since the steps were taken last. */
  step:
    (number: number): At =>
    (step) =>
      step.number === number,
  /** Before a verb, on any table or on this one. */
  verb:
    (verb: Verb, table?: string): At =>
    (step) =>
      step.kind === "verb" && step.verb === verb && (table === undefined || step.table === table),
  /** Before any verb on a table. */
  table:
    (table: string): At =>
    (step) =>
      step.kind === "verb" && step.table === table,
  /** Before a transaction that is in no other. */
  begin: ((step) => step.kind === "begin" && step.depth === 0) as At,
  /** Before a transaction that is in no other is committed. */
  commit: ((step) => step.kind === "commit" && step.depth === 1) as At,
  /** After something was stored for good, and before that is said. */
  answer: ((step) => step.kind === "answer") as At,
  /** Within a transaction. */
  inTransaction: ((step) => step.depth > 0) as At,
  /** Where all of the conditions hold. */
  all:
    (...conditions: ReadonlyArray<At>): At =>
    (step) =>
      conditions.every((condition) => condition(step)),
  /** At the n-th of the steps that a condition holds for, from 1 on. */
  nth: (n: number, condition: At): At => {
    let seen = 0
    return (step) => condition(step) && ++seen === n
  }
} as const

const occursOnce = { times: 1 }

/** The store cannot be reached, at this one step: `StorageUnavailable`. After a commit, that is an answer that is lost. */
export const fail = (where: At): Fault => ({
  ...occursOnce,
  at: where,
  does: () => Effect.fail(new StorageUnavailable({ reason: "Unreachable", detail: "A fault was asked for." }))
})

const writes: ReadonlySet<Verb | undefined> = new Set<Verb>([
  "insert",
  "insertMissing",
  "update",
  "remove",
  "next"
])

/** Whether another transaction can be in the way at a step: not of what is committed, or only reads outside of any. */
export const canConflict: At = (step) =>
  step.kind !== "answer" && (step.depth > 0 || step.kind === "begin" || writes.has(step.verb))

/**
 * Another transaction was in the way: `StorageConflict`, so that the transaction is undone and tried again. It waits
 * only where that can be.
 */
export const conflict = (where: At): Fault => ({
  ...occursOnce,
  at: (step) => canConflict(step) && where(step),
  does: () => Effect.fail(new StorageConflict())
})

/** The step takes longer, by the clock of the fiber. */
export const delay = (where: At, duration: Duration.Input): Fault => ({
  ...occursOnce,
  at: where,
  does: () => Effect.sleep(duration)
})

/** The connection is lost for good: this and all else fails, and what is open is undone, until `reconnect`. */
export const disconnect = (where: At): Fault => ({
  ...occursOnce,
  at: where,
  does: (_, store) => Effect.sync(store.disconnect)
})

/** The connection is lost and there again: transactions that are open are undone, what begins after it goes well. */
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

/** No answer comes, ever; `reached` is called when it is waited for, to interrupt who waits, say. */
export const hang = (where: At, reached: () => void = () => {}): Fault => ({
  ...occursOnce,
  at: where,
  does: () => Effect.andThen(Effect.sync(reached), Effect.never)
})

/** The same fault, so many times in a row. */
export const times = (count: number, fault: Fault): Fault => ({ ...fault, times: count })
