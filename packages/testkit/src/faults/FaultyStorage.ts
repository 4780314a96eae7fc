/**
 * Fault injection: wraps a store, so that a test can make its operations fail.
 *
 * Each verb and each transaction passes steps (see `Step`), at which faults occur. Only faults of real stores are
 * simulated: only a stored result can lose its response, a read outside a transaction does not conflict, and a
 * transaction with a failed step rolls back even if the failure is caught. An application must therefore handle each of
 * them.
 */
import { RecordsAdapter, type StorageConflict, StorageUnavailable, type Table } from "@lectern/core"
import { Context, Effect, Layer } from "effect"
import type { Fault, Step, StepError, Verb } from "./Fault.ts"

/** A wrapped store, and the methods that inject faults into it. */
export interface FaultyStorage {
  /** The wrapped store. Build the layer once: its faults and steps are shared by all of its users. */
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** Injects faults. If several select a step, the one that was injected first occurs. */
  readonly inject: (...faults: ReadonlyArray<Fault>) => void
  /** Disconnects the store: open transactions roll back, and every step fails, until `reconnect` or `heal`. */
  readonly disconnect: () => void
  /** Restores the connection. Transactions that were open when it was lost can only roll back. */
  readonly reconnect: () => void
  /** Returns the number of occurrences of injected faults that are still pending. */
  readonly countPendingFaults: () => number
  /** Removes all pending faults, and restores the connection. */
  readonly heal: () => void
  /** Returns the steps since the last call of `takeSteps`: all of them, or at least the last 50,000. */
  readonly takeSteps: () => ReadonlyArray<Step>
}

/** A transaction that has begun and not ended. */
interface OpenTransaction {
  readonly depth: number
  /**
   * The value of the connection counter when the transaction began; a difference means that the connection was lost.
   */
  readonly connectionCount: number
  /** The error of the first failed step, after which the transaction can only roll back. */
  failure: StepError | undefined
}

/** The innermost open transaction of a fiber. */
class CurrentTransaction extends Context.Service<CurrentTransaction, OpenTransaction>()(
  "@lectern/testkit/faults/Opened"
) {}

const unavailable = (detail: string) => new StorageUnavailable({ reason: "Unreachable", detail })

/** The maximum number of steps that are retained for `takeSteps`. Beyond it, the older half is discarded. */
const maxRetainedSteps = 100_000

/** See `FaultyStorage.make`. */
const makeFaultyStorage = (storage: Layer.Layer<RecordsAdapter, unknown>): FaultyStorage => {
  let faults: Array<{ readonly fault: Fault; remaining: number }> = []
  let steps: Array<Step> = []
  let lastStepNumber = 0
  let connectionCount = 0
  let isConnected = true

  const disconnect = () => {
    connectionCount++
    isConnected = false
  }
  const reconnect = () => {
    isConnected = true
  }
  const control = { disconnect, reconnect }

  /** Returns the error of the transaction or of the lost connection; undefined if a step may proceed. */
  const connectionError = (open: OpenTransaction | undefined): StepError | undefined => {
    if (open?.failure !== undefined) return open.failure
    if (open !== undefined && open.connectionCount !== connectionCount)
      return unavailable("The connection was lost.")
    return isConnected ? undefined : unavailable("There is no connection.")
  }

  /** Passes a step: fails if the connection is lost, if the transaction has failed, or if a fault fails it. */
  const pass = (
    kind: Step["kind"],
    verb?: Verb,
    table?: string
  ): Effect.Effect<void, StorageUnavailable | StorageConflict> =>
    Effect.withFiber((fiber) => {
      const open = Context.getOrUndefined(fiber.context, CurrentTransaction)
      const step: Step = { number: ++lastStepNumber, kind, verb, table, depth: open?.depth ?? 0 }
      steps.push(step)
      if (steps.length > maxRetainedSteps) steps = steps.slice(-maxRetainedSteps / 2)
      const fail = (error: StepError) => {
        if (open !== undefined) open.failure = error
        return Effect.fail(error)
      }
      // A commit remains in effect even if the connection is lost afterwards.
      const error = kind === "response" ? undefined : connectionError(open)
      if (error !== undefined) return fail(error)
      // Every predicate is evaluated, as some of them count steps.
      const [pending] = faults.filter(({ fault, remaining }) => remaining > 0 && fault.at(step))
      if (pending === undefined) return Effect.void
      pending.remaining--
      return Effect.matchEffect(pending.fault.run(step, control), {
        onFailure: fail,
        onSuccess: () => {
          const lost = kind === "response" && isConnected ? undefined : connectionError(open)
          return lost === undefined ? Effect.void : fail(lost)
        }
      })
    })

  const wrapAdapter = (adapter: RecordsAdapter["Service"]): RecordsAdapter["Service"] => {
    const wrapRead =
      <Args extends ReadonlyArray<unknown>, A, E>(
        name: Verb,
        verb: (table: Table.AnyTable, ...args: Args) => Effect.Effect<A, E>
      ) =>
      (table: Table.AnyTable, ...args: Args) =>
        Effect.andThen(pass("verb", name, table.name), verb(table, ...args))

    /** A write outside a transaction is an implicit transaction, so its response can be lost, too. */
    const wrapWrite =
      <Args extends ReadonlyArray<unknown>, A, E>(
        name: Verb,
        verb: (table: Table.AnyTable, ...args: Args) => Effect.Effect<A, E>
      ) =>
      (table: Table.AnyTable, ...args: Args) =>
        Effect.withFiber((fiber) => {
          const whole = Effect.andThen(pass("verb", name, table.name), verb(table, ...args))
          return Context.getOrUndefined(fiber.context, CurrentTransaction) === undefined
            ? Effect.tap(whole, pass("response", name, table.name))
            : whole
        })

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.withFiber((fiber) => {
        const outer = Context.getOrUndefined(fiber.context, CurrentTransaction)
        const inner = Effect.suspend(() => {
          const open: OpenTransaction = {
            depth: (outer?.depth ?? 0) + 1,
            connectionCount,
            failure: undefined
          }
          return Effect.provideService(
            Effect.tap(self, () => pass("commit")),
            CurrentTransaction,
            open
          )
        })
        const whole = Effect.andThen(pass("begin"), adapter.transaction(inner))
        return outer === undefined ? Effect.tap(whole, pass("response")) : whole
      })

    type Service = RecordsAdapter["Service"]
    return RecordsAdapter.of({
      concurrency: adapter.concurrency,
      find: wrapRead("find", adapter.find),
      findBeforeEnd: adapter.findBeforeEnd && wrapRead("find", adapter.findBeforeEnd),
      count: wrapRead("count", adapter.count),
      countBy: wrapRead("countBy", adapter.countBy),
      search: wrapRead("search", adapter.search),
      snapshot: Effect.andThen(pass("verb", "snapshot"), adapter.snapshot),
      insert: wrapWrite("insert", adapter.insert),
      insertMissing: wrapWrite("insertMissing", adapter.insertMissing),
      update: wrapWrite("update", adapter.update),
      remove: wrapWrite("remove", adapter.remove),
      next: wrapWrite("next", adapter.next),
      claim: wrapWrite("claim", adapter.claim),
      // Without a connection, the state is unknown: lookups must read, and fail.
      version: () => (isConnected ? adapter.version?.() : undefined),
      signals: adapter.signals,
      checkIntegrity: adapter.checkIntegrity,
      probe: Effect.suspend(() =>
        isConnected ? adapter.probe : Effect.fail(unavailable("There is no connection."))
      ),
      createTables: adapter.createTables,
      ...(adapter.hostConnection === undefined ? {} : { hostConnection: adapter.hostConnection }),
      transaction: transaction as Service["transaction"]
    })
  }

  return {
    layer: Layer.effect(RecordsAdapter, Effect.map(RecordsAdapter, wrapAdapter)).pipe(Layer.provide(storage)),
    inject: (...more) => {
      for (const fault of more) faults.push({ fault, remaining: fault.times })
    },
    disconnect,
    reconnect,
    countPendingFaults: () => faults.reduce((sum, { remaining }) => sum + remaining, 0),
    heal: () => {
      faults = []
      isConnected = true
    },
    takeSteps: () => {
      const taken = steps
      steps = []
      lastStepNumber = 0
      return taken
    }
  }
}

/** Creates stores that inject faults on request. */
export const FaultyStorage = {
  /**
   * Wraps a store, so that a test can inject faults between it and its users. Without faults, the wrapped store
   * conforms to `RecordsAdapter` if the given one does.
   *
   * @example
   * const storage = FaultyStorage.make(MemoryStorage.layer())
   * storage.inject(Fault.fail(Fault.at.verb("insert", "spaces")))
   */
  make: makeFaultyStorage
} as const
