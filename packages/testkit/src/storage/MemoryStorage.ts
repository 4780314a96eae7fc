/**
 * The in-memory store: the reference implementation of `RecordsAdapter`, and a fast store for unit tests.
 *
 * The state is an immutable value. A transaction works on its own copy, which replaces the state on commit, so there is
 * nothing to roll back. Transactions run one at a time; reads outside of them return the last commit without waiting.
 */
import {
  RecordsAdapter,
  type StorageUnavailable,
  type Table,
  Where,
  type WriteError,
  tables as workspaceTables
} from "@lectern/core"
import { Context, Effect, Exit, Layer, Semaphore } from "effect"
import * as State from "./MemoryState.ts"
import { addTables } from "./memoryTables.ts"
import { applyChanges, changesBetween, declareLoaded, type PersistentRows } from "./persistentRows.ts"

/** The state that fibers write to: the committed one, or the copy of a transaction. */
interface StateCell {
  state: State.State
  /** Held by each write, and by a nested transaction while it runs, as the latter works on its own copy. */
  readonly writeLock: Semaphore.Semaphore
  /** False once the transaction has ended. */
  isOpen: boolean
}

const makeStateCell = (state: State.State): StateCell => ({
  state,
  writeLock: Semaphore.makeUnsafe(1),
  isOpen: true
})

interface TransactionState {
  readonly _: unique symbol
}

/** The keys of the innermost transactions of fibers, by store: a fiber can have transactions of several stores. */
const transactionKeys = new WeakMap<StateCell, Context.Key<TransactionState, StateCell>>()
let storeCount = 0

const transactionKeyOf = (committed: StateCell): Context.Key<TransactionState, StateCell> => {
  const key =
    transactionKeys.get(committed) ??
    Context.Service<TransactionState, StateCell>(`@lectern/testkit/MemoryStorage/${++storeCount}`)
  transactionKeys.set(committed, key)
  return key
}

const stateNames = new WeakMap<State.State, string>()
let lastSnapshotNumber = 0

/** Returns the snapshot name of a state: a number as text. */
const snapshotName = (state: State.State): string => {
  const name = stateNames.get(state) ?? String(++lastSnapshotNumber)
  stateNames.set(state, name)
  return name
}

/** Persists the changes of a commit before it takes effect. */
type Persist = (before: State.State, after: State.State) => Effect.Effect<void, StorageUnavailable>

const makeAdapter = (
  tables: Array<Table.AnyTable>,
  committed: StateCell = makeStateCell(State.emptyState),
  persist: Persist = () => Effect.void
): RecordsAdapter["Service"] => {
  /** Replaces the state of a cell; that of the store only after its changes are persisted. */
  const replaceState = (cell: StateCell, state: State.State): Effect.Effect<void, StorageUnavailable> => {
    const replace = Effect.sync(() => {
      cell.state = state
    })
    return cell === committed && state !== committed.state
      ? Effect.uninterruptible(Effect.andThen(persist(committed.state, state), replace))
      : replace
  }

  const transactionState = transactionKeyOf(committed)

  const withCurrentState = <A, E, R>(
    use: (cell: StateCell) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const current = Context.getOrUndefined(fiber.context, transactionState) ?? committed
      // Writes of a fiber that outlives its transaction would be lost silently.
      return current.isOpen
        ? use(current)
        : Effect.die(new Error("The transaction has ended. A fiber must not use it after that."))
    })

  const read = <A>(query: (state: State.State) => A): Effect.Effect<A> =>
    withCurrentState((cell) => Effect.sync(() => query(cell.state)))

  const write = <A>(change: (state: State.State) => State.WriteResult<A>): Effect.Effect<A, WriteError> =>
    withCurrentState((cell) =>
      cell.writeLock.withPermit(
        Effect.suspend((): Effect.Effect<A, WriteError> => {
          const written = change(cell.state)
          if (written._tag === "Rejected") return Effect.fail(written.error)
          return Effect.as(replaceState(cell, written.state), written.value)
        })
      )
    )

  const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageUnavailable, R> =>
    withCurrentState((outer) =>
      outer.writeLock.withPermit(
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const inner = makeStateCell(outer.state)
            return Effect.onExit(restore(Effect.provideService(self, transactionState, inner)), (exit) =>
              Effect.suspend(() => {
                inner.isOpen = false
                return Exit.isSuccess(exit) ? replaceState(outer, inner.state) : Effect.void
              })
            )
          })
        )
      )
    ) as Effect.Effect<A, E | StorageUnavailable, R>

  return RecordsAdapter.of({
    concurrency: 1,
    find: (table, find) => read((state) => State.find(state, table, find)),
    count: (table, where) => read((state) => State.filterRows(state, table, where).length),
    countBy: (table, column, where) => read((state) => State.countBy(state, table, column, where)),
    search: (table, search) => read((state) => State.search(state, table, search)),
    snapshot: read(snapshotName),
    insert: (table, rows) => write((state) => State.insert(state, table, rows)),
    insertMissing: (table, rows) => write((state) => State.insertMissing(state, table, rows)),
    update: (table, where, change) => write((state) => State.update(state, table, where, change)),
    remove: (table, where) => write((state) => State.remove(state, tables, table, where)),
    next: (table, where, column) => write((state) => State.next(state, table, where, column)),
    claim: (table, claim, change) => write((state) => State.claim(state, table, claim, change)),
    signals: undefined,
    probe: Effect.void,
    checkIntegrity: undefined,
    createTables: (added) =>
      Effect.suspend(() =>
        addTables(tables, added, (table, set) =>
          Effect.orDie(write((state) => State.update(state, table, Where.all, { set, add: {} })))
        )
      ),
    transaction
  })
}

/** An in-memory store whose state can be saved and restored. */
export interface RewindableStorage {
  /** The store. Every build of the layer is the same store. */
  readonly layer: Layer.Layer<RecordsAdapter>
  /** Saves the committed state, in constant time. */
  readonly save: () => {
    /** Whether nothing was committed since. */
    readonly isCurrent: () => boolean
    /** Restores the saved state. Can be called any number of times, while no transaction is open. */
    readonly rewind: () => void
  }
}

/** Creates in-memory stores with real transactions. */
export const MemoryStorage = {
  /**
   * Creates a layer that opens a new, empty store each time it is built, with the tables of the workspace by default.
   * The contents are discarded with the runtime. Returned rows are frozen. A value that a column cannot hold is a
   * defect.
   *
   * @example
   * const workspace = createWorkspace({ storage: MemoryStorage.layer() })
   */
  layer: (tables: ReadonlyArray<Table.AnyTable> = workspaceTables): Layer.Layer<RecordsAdapter> =>
    Layer.sync(RecordsAdapter, () => makeAdapter([...tables])),

  /**
   * Creates a layer that holds all rows in memory, and persists the changes of each commit in a store of your own, which
   * needs no queries: a file, a key-value store, or an object store. One process can open it.
   *
   * @example
   * MemoryStorage.persisted({ load, commit })
   */
  persisted: (
    store: PersistentRows,
    tables: ReadonlyArray<Table.AnyTable> = workspaceTables
  ): Layer.Layer<RecordsAdapter, StorageUnavailable> =>
    Layer.effect(
      RecordsAdapter,
      Effect.map(store.load, (changes) => {
        const loaded = applyChanges(changes)
        const committed = makeStateCell(declareLoaded(State.emptyState, loaded, tables))
        const persist: Persist = (before, after) => store.commit(changesBetween(before, after))
        const adapter = makeAdapter([...tables], committed, persist)
        return RecordsAdapter.of({
          ...adapter,
          // The tables of features are declared after the rows were loaded.
          createTables: (added) =>
            Effect.suspend(() => {
              committed.state = declareLoaded(committed.state, loaded, added)
              return adapter.createTables(added)
            })
        })
      })
    ),

  /**
   * Opens one store whose state can be saved and restored in constant time, for tests that try many operations from the
   * same state.
   */
  rewindable: (tables: ReadonlyArray<Table.AnyTable> = workspaceTables): RewindableStorage => {
    const committed = makeStateCell(State.emptyState)
    const known = [...tables]
    return {
      layer: Layer.sync(RecordsAdapter, () => makeAdapter(known, committed)),
      save: () => {
        const { state } = committed
        return {
          isCurrent: () => committed.state === state,
          rewind: () => {
            committed.state = state
          }
        }
      }
    }
  }
}
