/**
 * A store that fails when it is told to: a wrapper over any other, for tests of what is built on it.
 *
 * Each verb and each transaction passes steps (see `Step`), and a fault waits at some of them. What a fault does is
 * what real stores do, and no more: an answer can be lost only where something was stored, a read outside of a
 * transaction meets no other, and a transaction in which a step has failed can only be undone, whoever has caught the
 * failure. So what is built on it must bear everything that it does.
 */
import { RecordsAdapter, type StorageConflict, StorageUnavailable } from "@lectern/core"
import { Context, Effect, Layer } from "effect"
import type { Fault, Step, StepError, Verb } from "./Fault.ts"

/** A store with faults, and how they are brought about. One store: its layer is to be built once. */
export interface FaultyStorage {
  readonly layer: Layer.Layer<RecordsAdapter, unknown>
  /** Lets a fault wait. Of several that wait at a step, the one that came first happens there. */
  readonly inject: (...faults: ReadonlyArray<Fault>) => void
  /** From now on everything fails, and transactions that are open are undone, until `reconnect`. */
  readonly disconnect: () => void
  /** Ends what `disconnect` began. What was undone stays so. */
  readonly reconnect: () => void
  /** How many faults still wait for their step. */
  readonly waiting: () => number
  /** No fault waits any more, and the store is connected. */
  readonly heal: () => void
  /** The steps that were passed since this was called last. */
  readonly take: () => ReadonlyArray<Step>
}

/** A transaction that is open. */
interface Open {
  readonly depth: number
  /** How often the store had been disconnected when it began. */
  readonly connection: number
  /** What one of its steps failed with: from then on it can only be undone. */
  failed: StepError | undefined
}

class Opened extends Context.Service<Opened, Open>()("@lectern/testkit/faults/Opened") {}

const unavailable = (detail: string) => new StorageUnavailable({ reason: "Unreachable", detail })

/** How many steps are kept for `take`: it is for tests that ask in time. */
const keptSteps = 100_000

/** Puts faults between a store and those who use it. */
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

  /** What ails the store itself, or the transaction. */
  const ailing = (open: Open | undefined): StepError | undefined => {
    if (open?.failed !== undefined) return open.failed
    if (open !== undefined && open.connection !== connection) return unavailable("The connection was lost.")
    return isConnected ? undefined : unavailable("There is no connection.")
  }

  /** Passes a step: fails where the store ails, or where what the fault that waits here does. */
  const pass = (
    kind: Step["kind"],
    verb?: Verb,
    table?: string
  ): Effect.Effect<void, StorageUnavailable | StorageConflict> =>
    Effect.withFiber((fiber) => {
      const open = Context.getOrUndefined(fiber.context, Opened)
      const step: Step = { number: ++number, kind, verb, table, depth: open?.depth ?? 0 }
      steps.push(step)
      if (steps.length > keptSteps) steps = steps.slice(-keptSteps / 2)
      const fail = (error: StepError) => {
        if (open !== undefined) open.failed = error
        return Effect.fail(error)
      }
      // What has been stored has been stored: that the connection is lost since is no reason to say otherwise.
      const error = kind === "answer" ? undefined : ailing(open)
      if (error !== undefined) return fail(error)
      // All are asked, for some of them count.
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

    /** A verb that writes outside of a transaction is one by itself: its answer can be lost, too. */
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
