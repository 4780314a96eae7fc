/**
 * Fault injection: a wrapper over any store, for tests of what is built on it.
 *
 * Each verb and each transaction passes steps (see `Step`), at which faults occur. Faults do what real stores do and no
 * more: only a stored result can lose its response, a read outside of a transaction does not conflict, and a transaction
 * with a failed step rolls back even if the failure is caught. So applications must handle everything that it does.
 */
import { RecordsAdapter, type StorageConflict, StorageUnavailable } from "@lectern/core"
import { Context, Effect, Layer } from "effect"
import type { Fault, Step, StepError, Verb } from "./Fault.ts"

/** A store with faults, and their control. It is one store, so its layer must be built once. */
export interface FaultyStorage {
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** Injects faults. If several match a step, the first injected occurs. */
  readonly inject: (...faults: ReadonlyArray<Fault>) => void
  /** Loses the connection: everything fails, and open transactions roll back, until `reconnect`. */
  readonly disconnect: () => void
  /** Restores the connection. What was rolled back stays so. */
  readonly reconnect: () => void
  /** The number of injected faults that have not occurred yet. */
  readonly waiting: () => number
  /** Removes all faults, and restores the connection. */
  readonly heal: () => void
  /** Returns the steps since the last call: at least the last 50,000. */
  readonly take: () => ReadonlyArray<Step>
}

/** An open transaction. */
interface Open {
  readonly depth: number
  /** The number of disconnections before it began. */
  readonly connection: number
  /** The error of its first failed step, after which it can only roll back. */
  failed: StepError | undefined
}

class Opened extends Context.Service<Opened, Open>()("@lectern/testkit/faults/Opened") {}

const unavailable = (detail: string) => new StorageUnavailable({ reason: "Unreachable", detail })

/** The maximum number of steps that are retained for `take`. */
const maxRetainedSteps = 100_000

/** Wraps a store, so that faults can be injected between it and its users. */
const makeFaultyStorage = (storage: Layer.Layer<RecordsAdapter, unknown>): FaultyStorage => {
  let faults: Array<{ readonly fault: Fault; left: number }> = []
  let steps: Array<Step> = []
  let number = 0
  let connection = 0
  let isConnected = true

  const disconnect = () => {
    connection++
    isConnected = false
  }
  const reconnect = () => {
    isConnected = true
  }
  const control = { disconnect, reconnect }

  /** The error of a lost connection, or of the transaction; undefined if there is none. */
  const ailing = (open: Open | undefined): StepError | undefined => {
    if (open?.failed !== undefined) return open.failed
    if (open !== undefined && open.connection !== connection) return unavailable("The connection was lost.")
    return isConnected ? undefined : unavailable("There is no connection.")
  }

  /** Passes a step: fails if the connection is lost, if the transaction has failed, or if a fault fails it. */
  const pass = (
    kind: Step["kind"],
    verb?: Verb,
    table?: string
  ): Effect.Effect<void, StorageUnavailable | StorageConflict> =>
    Effect.withFiber((fiber) => {
      const open = Context.getOrUndefined(fiber.context, Opened)
      const step: Step = { number: ++number, kind, verb, table, depth: open?.depth ?? 0 }
      steps.push(step)
      if (steps.length > maxRetainedSteps) steps = steps.slice(-maxRetainedSteps / 2)
      const fail = (error: StepError) => {
        if (open !== undefined) open.failed = error
        return Effect.fail(error)
      }
      // A commit stands even if the connection is lost afterwards.
      const error = kind === "answer" ? undefined : ailing(open)
      if (error !== undefined) return fail(error)
      // Every place is evaluated, as some of them count steps.
      const [waiting] = faults.filter(({ fault, left }) => left > 0 && fault.at(step))
      if (waiting === undefined) return Effect.void
      waiting.left--
      return Effect.matchEffect(waiting.fault.does(step, control), {
        onFailure: fail,
        onSuccess: () => {
          const since = kind === "answer" && isConnected ? undefined : ailing(open)
          return since === undefined ? Effect.void : fail(since)
        }
      })
    })

  const faulty = (adapter: RecordsAdapter["Service"]): RecordsAdapter["Service"] => {
    const reading =
      <Args extends ReadonlyArray<unknown>, A, E>(
        name: Verb,
        verb: (table: { readonly name: string }, ...args: Args) => Effect.Effect<A, E>
      ) =>
      (table: { readonly name: string }, ...args: Args) =>
        Effect.andThen(pass("verb", name, table.name), verb(table, ...args))

    /** A write outside of transactions is a transaction by itself, so its response can be lost too. */
    const writing =
      <Args extends ReadonlyArray<unknown>, A, E>(
        name: Verb,
        verb: (table: { readonly name: string }, ...args: Args) => Effect.Effect<A, E>
      ) =>
      (table: { readonly name: string }, ...args: Args) =>
        Effect.withFiber((fiber) => {
          const whole = Effect.andThen(pass("verb", name, table.name), verb(table, ...args))
          return Context.getOrUndefined(fiber.context, Opened) === undefined
            ? Effect.tap(whole, pass("answer", name, table.name))
            : whole
        })

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.withFiber((fiber) => {
        const outer = Context.getOrUndefined(fiber.context, Opened)
        const inner = Effect.suspend(() => {
          const open: Open = { depth: (outer?.depth ?? 0) + 1, connection, failed: undefined }
          return Effect.provideService(
            Effect.tap(self, () => pass("commit")),
            Opened,
            open
          )
        })
        const whole = Effect.andThen(pass("begin"), adapter.transaction(inner))
        return outer === undefined ? Effect.tap(whole, pass("answer")) : whole
      })

    type Service = RecordsAdapter["Service"]
    return RecordsAdapter.of({
      concurrency: adapter.concurrency,
      find: reading("find", adapter.find as never) as Service["find"],
      count: reading("count", adapter.count as never) as Service["count"],
      countBy: reading("countBy", adapter.countBy as never) as Service["countBy"],
      search: reading("search", adapter.search as never) as Service["search"],
      snapshot: Effect.andThen(pass("verb", "snapshot"), adapter.snapshot),
      insert: writing("insert", adapter.insert as never) as Service["insert"],
      insertMissing: writing("insertMissing", adapter.insertMissing as never) as Service["insertMissing"],
      update: writing("update", adapter.update as never) as Service["update"],
      remove: writing("remove", adapter.remove as never) as Service["remove"],
      next: writing("next", adapter.next as never) as Service["next"],
      createTables: adapter.createTables,
      transaction: transaction as Service["transaction"]
    })
  }

  return {
    layer: Layer.effect(RecordsAdapter, Effect.map(RecordsAdapter, faulty)).pipe(Layer.provide(storage)),
    inject: (...more) => {
      for (const fault of more) faults.push({ fault, left: fault.times })
    },
    disconnect,
    reconnect,
    waiting: () => faults.reduce((sum, { left }) => sum + left, 0),
    heal: () => {
      faults = []
      isConnected = true
    },
    take: () => {
      const taken = steps
      steps = []
      number = 0
      return taken
    }
  }
}

/** A store that injects faults on request. */
export const FaultyStorage = {
  /** Wraps a store, so that tests can inject faults between it and its users. */
  make: makeFaultyStorage
} as const
