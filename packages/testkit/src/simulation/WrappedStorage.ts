/**
 * A store of a simulation around a real one, such as SQLite, whose transactions do not run concurrently. Every call passes steps, and
 * transactions wait for each other in the scheduler instead of the database.
 */
import { type PlainRow, RecordsAdapter, StorageUnavailable, type Table, tables } from "@lectern/core"
import { Context, Effect, Exit } from "effect"
import type { Step, StepError, Verb } from "../faults/Fault.ts"
import { addRows, emptyRows, type Rows, toStoredRow } from "../storage/MemoryRows.ts"
import type { State } from "../storage/MemoryState.ts"
import { makeStorageLocks } from "./StorageLocks.ts"
import { CurrentObserver, type SimulatedStorage, type StorageClient } from "./storagePort.ts"

/** An open connection of a store. Its effects do not wait for anything outside of the thread. */
export interface OpenedStore {
  /** The store, as one process reaches it. */
  readonly adapter: RecordsAdapter["Service"]
  /** Closes the connection: an open transaction is rolled back. */
  readonly close: () => void
}

/** A transaction of a client. */
interface ClientTransaction {
  readonly depth: number
  /** The error of the first failed step, after which it can only be rolled back. */
  readonly status: { failure: StepError | undefined }
}

/** The transaction of a fiber. */
class CurrentTransaction extends Context.Service<CurrentTransaction, ClientTransaction>()(
  "@lectern/testkit/simulation/WrappedTransaction"
) {}

const disconnected = new StorageUnavailable({ reason: "Unreachable", detail: "The connection was closed." })

/** The lock of all transactions. */
const writing = [{ name: "writing", mode: "exclusive" as const }]

/** Reads all rows of a table. */
const readTable = (adapter: RecordsAdapter["Service"], table: Table.AnyTable): Rows => {
  const found = Effect.runSync(
    adapter.find(table, { where: { op: "all" }, orderBy: table.key, direction: "asc" })
  )
  const rows = addRows(
    table,
    emptyRows(table),
    found.map((row: PlainRow) => toStoredRow(table, row))
  )
  if ("_tag" in rows) throw rows
  return rows
}

/** Creates the store. `open` opens a connection for each process; `onCommit` runs after each commit. */
export const makeWrappedStorage = (open: () => OpenedStore, onCommit: () => void): SimulatedStorage => {
  const locks = makeStorageLocks()
  const reader = open()
  let version = 0
  const commit = () => {
    version++
    onCommit()
    return { version }
  }

  const connect: SimulatedStorage["connect"] = ({ onStep = () => Effect.yieldNow } = {}): StorageClient => {
    const { adapter, close } = open()
    const holders = new Set<object>()
    let isConnected = true
    const currentOf = (context: Context.Context<never>) => Context.getOrUndefined(context, CurrentTransaction)

    /** Passes a step: fails if the transaction has failed, or if the step does. */
    const pass = (current: ClientTransaction | undefined, kind: Step["kind"], verb?: Verb, table?: string) =>
      Effect.suspend((): Effect.Effect<void, StepError> => {
        const fail = (error: StepError) => {
          if (current !== undefined && kind !== "response") current.status.failure = error
          return Effect.fail(error)
        }
        if (current?.status.failure !== undefined) return Effect.fail(current.status.failure)
        return Effect.matchEffect(onStep({ kind, verb, table, depth: current?.depth ?? 0 }), {
          onFailure: fail,
          onSuccess: () => (isConnected ? Effect.void : fail(disconnected))
        })
      })

    /** Waits for the other transactions, and lets the next one begin when it ends. */
    const holding = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const holder = {}
        holders.add(holder)
        return Effect.onExit(Effect.andThen(locks.acquire(holder, writing), self), () =>
          Effect.sync(() => {
            holders.delete(holder)
            locks.release(holder)
          })
        )
      })

    /** Runs a transaction of the store, and records its commit. */
    const recorded = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.withFiber((fiber) => {
        const observer = fiber.getRef(CurrentObserver)
        observer?.onBegin()
        return Effect.onExit(self, (exit) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit)) observer?.onCommit(commit())
            else observer?.onRollback()
            if (Exit.isSuccess(exit) && observer === undefined) commit()
          })
        )
      })

    const read =
      <Args extends ReadonlyArray<unknown>, A, E>(
        name: Verb,
        verb: (table: Table.AnyTable, ...args: Args) => Effect.Effect<A, E>
      ) =>
      (table: Table.AnyTable, ...args: Args) =>
        Effect.withFiber((fiber) =>
          Effect.andThen(pass(currentOf(fiber.context), "verb", name, table.name), verb(table, ...args))
        )

    const write =
      <Args extends ReadonlyArray<unknown>, A, E>(
        name: Verb,
        verb: (table: Table.AnyTable, ...args: Args) => Effect.Effect<A, E>
      ) =>
      (table: Table.AnyTable, ...args: Args) =>
        Effect.withFiber((fiber) => {
          const current = currentOf(fiber.context)
          const step = pass(current, "verb", name, table.name)
          if (current !== undefined) {
            fiber.getRef(CurrentObserver)?.onWrite(table.name)
            return Effect.andThen(step, verb(table, ...args))
          }
          const whole = holding(recorded(Effect.suspend(() => verb(table, ...args))))
          return Effect.andThen(
            step,
            Effect.tap(whole, () => pass(undefined, "response", name, table.name))
          )
        })

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>) =>
      Effect.withFiber((fiber) => {
        const outer = currentOf(fiber.context)
        const inner = Effect.suspend(() => {
          const current: ClientTransaction = {
            depth: (outer?.depth ?? 0) + 1,
            status: outer?.status ?? { failure: undefined }
          }
          return Effect.provideService(
            Effect.tap(self, () => pass(current, "commit")),
            CurrentTransaction,
            current
          )
        })
        const begin = pass(outer, "begin")
        if (outer !== undefined) return Effect.andThen(begin, adapter.transaction(inner))
        const whole = holding(recorded(Effect.suspend(() => adapter.transaction(inner))))
        return Effect.andThen(
          begin,
          Effect.tap(whole, () => pass(undefined, "response"))
        )
      })

    type Service = RecordsAdapter["Service"]
    const wrapped = RecordsAdapter.of({
      concurrency: adapter.concurrency,
      find: read("find", adapter.find),
      findBeforeEnd: adapter.findBeforeEnd && read("find", adapter.findBeforeEnd),
      count: read("count", adapter.count),
      countBy: read("countBy", adapter.countBy),
      search: read("search", adapter.search),
      snapshot: Effect.withFiber((fiber) =>
        Effect.andThen(pass(currentOf(fiber.context), "verb", "snapshot"), adapter.snapshot)
      ),
      version: () => (isConnected ? adapter.version?.() : undefined),
      insert: write("insert", adapter.insert),
      insertMissing: write("insertMissing", adapter.insertMissing),
      update: write("update", adapter.update),
      remove: write("remove", adapter.remove),
      next: write("next", adapter.next),
      claim: write("claim", adapter.claim),
      signals: adapter.signals,
      compression: adapter.compression,
      probe: adapter.probe,
      checkIntegrity: adapter.checkIntegrity,
      createTables: adapter.createTables,
      transaction: transaction as Service["transaction"]
    })

    return {
      adapter: wrapped,
      disconnect: () => {
        isConnected = false
        close()
        for (const holder of holders) locks.release(holder)
      }
    }
  }

  return {
    connect,
    canConnect: () => {
      const probe = {}
      const isFree = locks.tryAcquire(probe, writing)
      locks.release(probe)
      return isFree
    },
    version: () => version,
    state: (): State => new Map(tables.map((table) => [table.name, readTable(reader.adapter, table)])),
    close: reader.close
  }
}
