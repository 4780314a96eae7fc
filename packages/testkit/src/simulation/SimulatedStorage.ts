/**
 * An in-memory store whose transactions run concurrently, as in PostgreSQL: serializable ones conflict, locked ones wait.
 * Every call passes steps, at which a simulation chooses who continues, and which call fails.
 */
import {
  type Lock,
  lockName,
  RecordsAdapter,
  StorageConflict,
  StorageUnavailable,
  type Table,
  Where,
  type WriteError,
  type WriteOptions,
  tables as workspaceTables
} from "@lectern/core"
import { Context, Effect, Exit, type Scope } from "effect"
import type { Step, StepError, Verb } from "../faults/Fault.ts"
import * as State from "../storage/MemoryState.ts"
import { addTables } from "../storage/memoryTables.ts"
import { type Isolation, OpenTransaction } from "./OpenTransaction.ts"
import { makeStorageLocks, type NamedLock } from "./StorageLocks.ts"
import {
  type ClientOptions,
  CurrentObserver,
  type RestorableStorage,
  type StateChange,
  type StorageClient,
  type StorageCommit,
  type TransactionObserver
} from "./storagePort.ts"

/** How long a transaction waits for its locks. */
const lockTimeout = "20 seconds"

/** A transaction of a client. */
interface ClientTransaction {
  readonly transaction: OpenTransaction
  readonly depth: number
  /** The error of the first failed step, after which it can only be rolled back. */
  readonly status: { failure: StepError | undefined; isOpen: boolean; hasSignal: boolean }
}

/** The holder of the locks of the transaction of a fiber. */
const CurrentHolder = Context.Reference<object | undefined>("@lectern/testkit/simulation/CurrentHolder", {
  defaultValue: () => undefined
})

const conflict = new StorageConflict()
const disconnected = new StorageUnavailable({ reason: "Unreachable", detail: "The connection was closed." })

let storeCount = 0

/** How a transaction conflicts with another one, apart from the faults of a simulation. */
export const conflictKinds = ["changed read", "changed write", "changed at commit"] as const

/** The conflict of a transaction of a host that acquires locks later. Simulations do not reach it. */
const lockOfAnother = "lock of another"

/** A kind of conflict. */
type ConflictKind = (typeof conflictKinds)[number] | typeof lockOfAnother

/** Creates an empty store. `onCommit` is called with each commit, `onConflict` with the kind of each conflict. */
export const makeSimulatedStorage = (
  tables: ReadonlyArray<Table.AnyTable> = workspaceTables,
  onCommit: (commit: StateChange) => void = () => {},
  onConflict: (kind: ConflictKind) => void = () => {}
): RestorableStorage => {
  const known = [...tables]
  const locks = makeStorageLocks()
  const subscribers = new Set<() => void>()
  let committed = { state: State.emptyState, version: 0 }
  const CurrentTransaction = Context.Service<ClientTransaction>(
    `@lectern/testkit/simulation/Transaction/${++storeCount}`
  )
  const currentOf = (context: Context.Context<never>) => Context.getOrUndefined(context, CurrentTransaction)

  /** Replaces the committed state. Returns the commit, or undefined if nothing has changed. */
  const replaceState = (after: State.State): StorageCommit | undefined => {
    const before = committed.state
    if (after === before) return undefined
    committed = { state: after, version: committed.version + 1 }
    const commit = { version: committed.version, before, after }
    onCommit(commit)
    return commit
  }

  const sendSignals = () => {
    for (const notify of [...subscribers]) notify()
  }

  const connect = ({
    onStep = () => Effect.yieldNow,
    hasVersion = true,
    onSignal = (deliver) => deliver()
  }: ClientOptions = {}): StorageClient => {
    const holders = new Set<object>()
    const ownSubscribers = new Set<() => void>()
    let isConnected = true

    /** Passes a step: fails if the transaction has failed, or if the step does. */
    const pass = (current: ClientTransaction | undefined, kind: Step["kind"], verb?: Verb, table?: string) =>
      Effect.suspend((): Effect.Effect<void, StepError> => {
        const fail = (error: StepError) => {
          if (current !== undefined && kind !== "response") current.status.failure = error
          return Effect.fail(error)
        }
        if (current !== undefined && !current.status.isOpen && kind !== "response") {
          return Effect.die(new Error("The transaction has ended. A fiber must not use it after that."))
        }
        if (current?.status.failure !== undefined) return Effect.fail(current.status.failure)
        return Effect.matchEffect(onStep({ kind, verb, table, depth: current?.depth ?? 0 }), {
          onFailure: fail,
          onSuccess: () => (isConnected ? Effect.void : fail(disconnected))
        })
      })

    const failWithConflict = (current: ClientTransaction, kind: ConflictKind) => {
      onConflict(kind)
      current.status.failure = conflict
      return Effect.fail(conflict)
    }

    const read = <A>(verb: Verb, table: string | undefined, query: (state: State.State) => A) =>
      Effect.withFiber((fiber) => {
        const current = currentOf(fiber.context)
        return Effect.andThen(
          pass(current, "verb", verb, table),
          Effect.suspend((): Effect.Effect<A, StepError> => {
            if (current === undefined) return Effect.succeed(query(committed.state))
            const result = current.transaction.read(query)
            return result === undefined
              ? failWithConflict(current, "changed read")
              : Effect.succeed(result.value)
          })
        )
      })

    /** Waits for the locks of a transaction, and releases them when it ends. */
    const holding = <A, E, R>(
      isolation: Isolation,
      use: (holder: object) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const holder = {}
        holders.add(holder)
        return Effect.onExit(Effect.andThen(locks.begin(holder, isolation), use(holder)), () =>
          Effect.sync(() => {
            holders.delete(holder)
            locks.release(holder)
          })
        )
      })

    /** A write outside of a transaction is a transaction of its own. */
    const writeAlone = <A>(
      [verb, table]: readonly [Verb, string],
      change: (state: State.State) => State.WriteResult<A>
    ): Effect.Effect<A, WriteError> =>
      Effect.withFiber((fiber) => {
        const observer = fiber.getRef(CurrentObserver)
        const whole = Effect.suspend((): Effect.Effect<A, WriteError> => {
          const written = change(committed.state)
          if (written._tag === "Rejected") return Effect.fail(written.error)
          observer?.onBegin()
          const commit = replaceState(written.state)
          observer?.onCommit(commit)
          return Effect.succeed(written.value)
        })
        return Effect.andThen(
          pass(undefined, "verb", verb, table),
          Effect.tap(
            holding("serializable", () => (isConnected ? whole : Effect.fail(disconnected))),
            pass(undefined, "response", verb, table)
          )
        )
      })

    const write = <A>(
      verb: Verb,
      table: string,
      change: (state: State.State) => State.WriteResult<A>,
      options?: WriteOptions
    ): Effect.Effect<A, WriteError> =>
      Effect.withFiber((fiber) => {
        const current = currentOf(fiber.context)
        if (current === undefined) return writeAlone([verb, table], change)
        fiber.getRef(CurrentObserver)?.onWrite(table)
        return Effect.andThen(
          pass(current, "verb", verb, table),
          Effect.suspend((): Effect.Effect<A, WriteError> => {
            const written = current.transaction.write(change, options?.isResultUnused === true)
            if (written === undefined) return failWithConflict(current, "changed write")
            return "error" in written ? Effect.fail(written.error) : Effect.succeed(written.value)
          })
        )
      })

    /** Runs the body of a transaction that has its locks, and commits it. */
    const runOutermost = <A, E, R>(
      isolation: Isolation,
      self: Effect.Effect<A, E, R>,
      observer: TransactionObserver | undefined
    ) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          observer?.onBegin()
          const current: ClientTransaction = {
            transaction: new OpenTransaction(isolation, () => committed),
            depth: 1,
            status: { failure: undefined, isOpen: true, hasSignal: false }
          }
          const body = Effect.tap(self, () => pass(current, "commit"))
          return Effect.flatMap(
            Effect.exit(restore(Effect.provideService(body, CurrentTransaction, current))),
            (exit): Effect.Effect<A, E | StepError> => {
              current.status.isOpen = false
              const state = Exit.isSuccess(exit) && isConnected ? current.transaction.commit() : undefined
              if (state === undefined) {
                observer?.onRollback()
                if (Exit.isSuccess(exit) && isConnected) onConflict("changed at commit")
                return Exit.isSuccess(exit) ? Effect.fail(isConnected ? conflict : disconnected) : exit
              }
              const commit = replaceState(state)
              observer?.onCommit(commit)
              if (current.status.hasSignal) sendSignals()
              return exit
            }
          )
        })
      ) as Effect.Effect<A, E | StepError, R>

    const runSavepoint = <A, E, R>(outer: ClientTransaction, self: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const current: ClientTransaction = { ...outer, depth: outer.depth + 1 }
          outer.transaction.begin()
          const body = Effect.tap(self, () => pass(current, "commit"))
          return Effect.onExit(restore(Effect.provideService(body, CurrentTransaction, current)), (exit) =>
            Effect.sync(() => outer.transaction.end(Exit.isSuccess(exit)))
          )
        })
      ) as Effect.Effect<A, E | StepError, R>

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StepError, R> =>
      Effect.withFiber((fiber) => {
        const outer = currentOf(fiber.context)
        if (outer !== undefined) return Effect.andThen(pass(outer, "begin"), runSavepoint(outer, self))
        const observer = fiber.getRef(CurrentObserver)
        const whole = holding("serializable", () => runOutermost("serializable", self, observer))
        return Effect.andThen(
          pass(undefined, "begin"),
          Effect.tap(whole, () => pass(undefined, "response"))
        )
      })

    /** Returns the names of the resources of locks. A row names its resource. */
    const resolveLocks = (wanted: ReadonlyArray<Lock>): ReadonlyArray<NamedLock> =>
      wanted.flatMap((lock): ReadonlyArray<NamedLock> => {
        const { mode, kind } = lock
        if (!("row" in lock)) return [{ mode, name: lockName(kind, lock.id) }]
        const { table, key, id, column } = lock.row
        return State.filterRows(committed.state, table, { op: "eq", column: key, value: id }).flatMap(
          (row) => (typeof row[column] === "string" ? [{ mode, name: lockName(kind, row[column]) }] : [])
        )
      })

    const namesOf = (named: ReadonlyArray<NamedLock>): ReadonlySet<string> =>
      new Set(named.map(({ name }) => name))

    const lockedTransaction = <A, E, R>(
      wanted: ReadonlyArray<Lock>,
      self: (names: ReadonlySet<string>) => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | StepError, R> =>
      Effect.withFiber((fiber) => {
        const observer = fiber.getRef(CurrentObserver)
        const whole = holding("locked", (holder) =>
          Effect.suspend(() => {
            const named = resolveLocks(wanted)
            return Effect.andThen(
              Effect.timeoutOrElse(locks.acquire(holder, named), {
                duration: lockTimeout,
                orElse: () =>
                  Effect.fail(
                    new StorageUnavailable({ reason: "Contention", detail: "A lock was not acquired." })
                  )
              }),
              runOutermost(
                "locked",
                Effect.provideService(self(namesOf(named)), CurrentHolder, holder),
                observer
              )
            )
          })
        )
        return Effect.andThen(
          pass(undefined, "begin"),
          Effect.tap(whole, () => pass(undefined, "response"))
        )
      })

    const acquireLocks = (wanted: ReadonlyArray<Lock>) =>
      Effect.withFiber((fiber): Effect.Effect<ReadonlySet<string>, StepError> => {
        const named = resolveLocks(wanted)
        const holder = fiber.getRef(CurrentHolder)
        // A wait could never end, if the other transaction waits for this one.
        if (holder !== undefined && locks.tryAcquire(holder, named)) return Effect.succeed(namesOf(named))
        onConflict(lockOfAnother)
        return Effect.fail(conflict)
      })

    const subscribe = (listener: () => void): Effect.Effect<void, never, Scope.Scope> =>
      Effect.asVoid(
        Effect.acquireRelease(
          Effect.sync(() => {
            const notify = () => onSignal(listener)
            subscribers.add(notify)
            ownSubscribers.add(notify)
            return notify
          }),
          (notify) => Effect.sync(() => subscribers.delete(notify))
        )
      )

    const snapshot = Effect.suspend(() => read("snapshot", undefined, () => String(committed.version)))
    const adapter = RecordsAdapter.of({
      concurrency: "unbounded",
      find: (table, find) => read("find", table.name, (state) => State.find(state, table, find)),
      count: (table, where) =>
        read("count", table.name, (state) => State.filterRows(state, table, where).length),
      countBy: (table, column, where) =>
        read("countBy", table.name, (state) => State.countBy(state, table, column, where)),
      search: (table, search) => read("search", table.name, (state) => State.search(state, table, search)),
      snapshot,
      // It has no versions of single rows, so any commit raises all.
      raisedVersions: (since) =>
        Effect.map(snapshot, (position) => ({ position, versions: position === since ? [] : undefined })),
      ...(hasVersion ? { version: () => (isConnected ? committed.version : undefined) } : {}),
      insert: (table, rows, options) =>
        write("insert", table.name, (state) => State.insert(state, table, rows), options),
      insertMissing: (table, rows, options) =>
        write("insertMissing", table.name, (state) => State.insertMissing(state, table, rows), options),
      update: (table, where, change, options) =>
        write("update", table.name, (state) => State.update(state, table, where, change), options),
      remove: (table, where, options) =>
        write("remove", table.name, (state) => State.remove(state, known, table, where), options),
      next: (table, where, column) =>
        write("next", table.name, (state) => State.next(state, table, where, column)),
      claim: (table, claim, change) =>
        write("claim", table.name, (state) => State.claim(state, table, claim, change)),
      signals: {
        send: Effect.withFiber((fiber) => {
          const current = currentOf(fiber.context)
          return Effect.sync(() => {
            if (current === undefined) sendSignals()
            else current.status.hasSignal = true
          })
        }),
        subscribe
      },
      probe: Effect.suspend(() => (isConnected ? Effect.void : Effect.fail(disconnected))),
      checkIntegrity: undefined,
      createTables: (added) =>
        Effect.suspend(() =>
          addTables(known, added, (table, set) =>
            Effect.orDie(
              write("update", table.name, (state) => State.update(state, table, Where.all, { set, add: {} }))
            )
          )
        ),
      transaction,
      lockedTransaction,
      acquireLocks
    })

    return {
      adapter,
      disconnect: () => {
        isConnected = false
        for (const holder of holders) locks.release(holder)
        for (const notify of ownSubscribers) subscribers.delete(notify)
      }
    }
  }

  return {
    connect,
    canConnect: () => true,
    version: () => committed.version,
    state: () => committed.state,
    close: () => {},
    save: () => {
      const { state } = committed
      return () => {
        if (committed.state !== state) committed = { state, version: committed.version + 1 }
      }
    }
  }
}
