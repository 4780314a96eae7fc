/**
 * The store in memory: the reference implementation for every other store, and the store of unit tests.
 *
 * The state is an immutable value. A transaction works on its own copy, which replaces the state on commit, so there is
 * nothing to roll back. Transactions run one at a time; reads outside of them return the last commit without waiting.
 */
import {
  RecordsAdapter,
  type Table,
  TableMismatch,
  type WriteError,
  tables as workspaceTables
} from "@lectern/core"
import { Context, Effect, Exit, Layer, Semaphore } from "effect"
import * as State from "./MemoryState.ts"

/** The state that fibers write to: the committed one, or the copy of a transaction. */
interface Place {
  state: State.State
  /** Held by each write, and by a nested transaction while it runs, as it would not see other writes. */
  readonly turn: Semaphore.Semaphore
  isOpen: boolean
}

const place = (state: State.State): Place => ({ state, turn: Semaphore.makeUnsafe(1), isOpen: true })

/** The state of the transaction that a fiber is in. */
class Working extends Context.Service<Working, Place>()("@lectern/testkit/MemoryStorage/Working") {}

const stateNames = new WeakMap<State.State, string>()
let last = 0

/** Returns the name of a state: a number. */
const nameOf = (state: State.State): string => {
  const name = stateNames.get(state) ?? String(++last)
  stateNames.set(state, name)
  return name
}

/** Adds those of the tables that do not exist. Deletions cascade by the references of the listed tables. */
const addTables = (
  tables: Array<Table.AnyTable>,
  added: ReadonlyArray<Table.AnyTable>
): Effect.Effect<void, TableMismatch> => {
  const found = new Map(tables.map((table) => [table.name, table]))
  const mismatched = added.filter((table) => shapeOf(found.get(table.name) ?? table) !== shapeOf(table))
  if (mismatched.length > 0) {
    return Effect.fail(TableMismatch.of(mismatched.map(({ name }) => `${name} was declared otherwise.`)))
  }
  tables.push(...added.filter(({ name }) => !found.has(name)))
  return Effect.void
}

/** The declaration of a table, as a string that can be compared. */
const shapeOf = ({ references, ...table }: Table.AnyTable): string =>
  JSON.stringify([
    table,
    Object.entries(references).map(([column, reference]) => [
      column,
      reference?.table().name,
      reference?.onRemove
    ])
  ])

const makeAdapter = (
  tables: Array<Table.AnyTable>,
  committed: Place = place(State.empty)
): RecordsAdapter["Service"] => {
  const here = <A, E, R>(use: (place: Place) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const current = Context.getOrUndefined(fiber.context, Working) ?? committed
      // The writes of a fiber that outlives its transaction would be lost.
      return current.isOpen ? use(current) : Effect.die(new Error("The transaction has ended."))
    })

  const read = <A>(ask: (state: State.State) => A): Effect.Effect<A> =>
    here((place) => Effect.sync(() => ask(place.state)))

  const write = <A>(change: (state: State.State) => State.Written<A>): Effect.Effect<A, WriteError> =>
    here((place) =>
      place.turn.withPermit(
        Effect.suspend((): Effect.Effect<A, WriteError> => {
          const written = change(place.state)
          if (written._tag === "Refused") return Effect.fail(written.error)
          place.state = written.state
          return Effect.succeed(written.value)
        })
      )
    )

  const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    here((outer) =>
      outer.turn.withPermit(
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            const inner = place(outer.state)
            return Effect.onExit(restore(Effect.provideService(self, Working, inner)), (exit) =>
              Effect.sync(() => {
                inner.isOpen = false
                if (Exit.isSuccess(exit)) outer.state = inner.state
              })
            )
          })
        )
      )
    ) as Effect.Effect<A, E, R>

  return RecordsAdapter.of({
    concurrency: 1,
    find: (table, find) => read((state) => State.find(state, table, find)),
    count: (table, where) => read((state) => State.filter(state, table, where).length),
    countBy: (table, column, where) => read((state) => State.countBy(state, table, column, where)),
    search: (table, search) => read((state) => State.search(state, table, search)),
    snapshot: read(nameOf),
    insert: (table, rows) => write((state) => State.insert(state, table, rows)),
    insertMissing: (table, rows) => write((state) => State.insertMissing(state, table, rows)),
    update: (table, where, change) => write((state) => State.update(state, table, where, change)),
    remove: (table, where) => write((state) => State.remove(state, tables, table, where)),
    next: (table, key, column) => write((state) => State.next(state, table, key, column)),
    createTables: (added) => Effect.suspend(() => addTables(tables, added)),
    transaction
  })
}

/** A store in memory that can be rewound. */
export interface RewindableStorage {
  readonly layer: Layer.Layer<RecordsAdapter>
  readonly save: () => {
    /** Whether no commit since has changed anything. */
    readonly isCurrent: () => boolean
    /** Restores the saved state, any number of times. No transaction may be open. */
    readonly rewind: () => void
  }
}

/** A store in memory, with real transactions. Its contents are gone with its runtime. */
export const MemoryStorage = {
  /**
   * A new and empty store each time it is built, with the tables of the workspace by default. The rows that it returns
   * are frozen. A value that a column cannot hold is a defect.
   */
  layer: (tables: ReadonlyArray<Table.AnyTable> = workspaceTables): Layer.Layer<RecordsAdapter> =>
    Layer.sync(RecordsAdapter, () => makeAdapter([...tables])),

  /**
   * A store whose state can be saved and restored at no cost, for tests that try many operations from one state. It is
   * one store, however often its layer is built.
   */
  rewindable: (tables: ReadonlyArray<Table.AnyTable> = workspaceTables): RewindableStorage => {
    const committed = place(State.empty)
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
